import { eventFiles, localContracts } from '../../../infra/local/start/event-files.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'

const writeText = useTextFiles()

test('of the contracts in the bundled logs, only those of the recordings are local', async () => {
  const files = await eventFiles({ events: [], empty: false })
  const [real] = files.filter(file => file.endsWith('chain-logs.ndjson'))
  const contracts = await localContracts(files)

  expect(contracts).toHaveLength(2)
  expect(contracts.every(address => /^0x[0-9a-f]{40}$/.test(address))).toBe(true)
  expect(await localContracts([String(real)])).toEqual([])
})

test('files that are not bundled are ignored, whatever they contain', async () => {
  expect(await localContracts([await writeText('logs.ndjson', 'no JSON\n')])).toEqual([])
})
