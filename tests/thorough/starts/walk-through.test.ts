import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { printedBy } from '../../support/programs/printed-by.ts'
import { until } from '../../support/runner/until.ts'
import { useFolder } from '../../support/runner/use-folder.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const README = path.join(ROOT, 'lib/ingest/README.md')
const TITLE = '## Index your own contract from a local chain\n'

const terminals: Terminal[] = []
afterAll(() => Promise.all(terminals.map(terminal => terminal.close())))
/** Made after the hook above, so that the folder is removed only after the terminals are closed. */
const folder = useFolder()

interface Terminal {
  printed(): string
  ended: Promise<unknown>
  close(): Promise<void>
}

function openTerminal(lines: string): Terminal {
  const child: ChildProcess = spawn('bash', ['-e', '-o', 'pipefail', '-c', lines], {
    cwd: ROOT,
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = once(child, 'close')
  const terminal = {
    printed: printedBy(child),
    ended,
    async close() {
      try {
        process.kill(-Number(child.pid), 'SIGTERM')
      } catch {
        // The terminal has already ended.
      }
      await ended
    },
  }
  terminals.push(terminal)
  return terminal
}

function readBlocks(): string[] {
  const [, section = ''] = readFileSync(README, 'utf8').split(TITLE)
  const [text = ''] = section.split('\n## ')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands)
}

const NEXT = '--- next block ---'

test('the walk-through of the README works as it stands', async () => {
  const [anvil = '', start = '', variables = '', ...steps] = readBlocks()
  const nodePort = await freePort()
  const apiPort = await freePort()
  const chain = openTerminal(`${anvil.trim()} --port ${nodePort}`)
  const service = openTerminal(
    start.trim().replace('4020', `${apiPort} --data-dir ${path.join(folder, 'data')}`),
  )
  await until(() => chain.printed().includes('Listening on') && service.printed().includes('Ctrl-C stops'))
  const [, database = ''] = /DynamoDB +(\S+)/.exec(service.printed()) ?? []
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
  const [code] = (await work.ended) as [number]

  expect({ code, printed: code === 0 ? '' : work.printed() }).toEqual({ code: 0, printed: '' })
  const [, , indexed = ''] = work.printed().split(NEXT)
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
