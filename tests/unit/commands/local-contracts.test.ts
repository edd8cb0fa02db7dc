import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventFiles, localContracts } from '../../../infra/local/start/event-files.ts'

test('of the contracts in the bundled logs, only those of the recordings are local', async () => {
  const files = await eventFiles({ events: [], empty: false })
  const [real] = files.filter(file => file.endsWith('chain-logs.ndjson'))
  const contracts = await localContracts(files)

  expect(contracts).toHaveLength(2)
  expect(contracts.every(address => /^0x[0-9a-f]{40}$/.test(address))).toBe(true)
  expect(await localContracts([String(real)])).toEqual([])
})

test('files that are not bundled are ignored, whatever they contain', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'local-contracts-'))
  const file = path.join(folder, 'logs.ndjson')
  writeFileSync(file, 'no JSON\n')
  const contracts = await localContracts([file])
  rmSync(folder, { recursive: true })

  expect(contracts).toEqual([])
})
