import path from 'node:path'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { codeIn } from '../../support/programs/readme-recipes.ts'
import { startProcess } from '../../support/programs/run-command.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useStops } from '../../support/runner/use-started.ts'

const SECTION = 'Index your own contract from a local chain'

const stopLater = useStops()
/** Made after the hook above, so that the folder is removed only after the terminals are closed. */
const folder = useFolder()

/** The lines run in a process group of their own. */
function openTerminal(lines: string) {
  const given = ['-e', '-o', 'pipefail', '-c', lines]
  const terminal = startProcess('bash', given, { env: { HOME: folder }, detached: true })
  const { child, ended } = terminal
  const stop = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), 'SIGTERM')
    return ended
  }
  return stopLater({ ...terminal, stop })
}

const NEXT = '--- next block ---'

test('the walk-through of the README works as it stands', async () => {
  const [anvil = '', start = '', variables = '', ...steps] = codeIn('lib/ingest/README.md', 'sh', SECTION)
  const nodePort = await freePort()
  const apiPort = await freePort()
  const chain = openTerminal(`${anvil.trim()} --port ${nodePort}`)
  const service = openTerminal(
    start.trim().replace('4020', `${apiPort} --data-dir ${path.join(folder, 'data')}`),
  )
  await Promise.all([chain.untilPrinted('Listening on'), service.untilPrinted('Ctrl-C stops')])
  const [, database = ''] = /DynamoDB +(\S+)/.exec(service.printed.all) ?? []
  const own = [
    [/^RPC=.*$/m, `RPC=http://127.0.0.1:${nodePort}`],
    [/^API=.*$/m, `API=http://127.0.0.1:${apiPort}`],
    [/^DB=.*$/m, `DB=${database}`],
  ] as const
  const settings = own.reduce((text, [line, value]) => {
    expect(text).toMatch(line)
    return text.replace(line, value)
  }, variables)

  const work = openTerminal([settings, ...steps].join(`echo; echo '${NEXT}'\n`))
  const code = await work.ended

  expect({ code, printed: code === 0 ? '' : work.printed.all }).toEqual({ code: 0, printed: '' })
  const [, , indexed = ''] = work.printed.all.split(NEXT)
  expect(indexed).toContain(
    'polygon: indexing from block 1 on (0x5fbdb2315678afecb367f032d93f642f64180aa3 was created in',
  )
  expect(indexed).toContain('polygon is indexed up to block 2 (')
  expect(contentsOf(indexed)).toEqual(['Minted 10 of 1', 'TransferSingle 10 of 1', 'OwnershipTransferred'])
  expect(indexed).toMatch(/3 events in \d+ items: all is well/)
})

function contentsOf(printed: string): string[] {
  const [json = ''] = /^\[\{.*\}\]/m.exec(printed) ?? []
  return (JSON.parse(json) as EventRecord[]).map(record => {
    if (record.event === 'Minted') return `Minted ${record.quantity} of ${record.tokenId}`
    if ('tokenIds' in record) return `${record.event} ${record.quantities} of ${record.tokenIds}`
    return record.event
  })
}
