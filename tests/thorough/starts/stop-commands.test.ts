import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { useChain } from '../../support/chain/chain.ts'
import { listen } from '../../support/http/listen.ts'
import { isCommand } from '../../support/programs/is-command.ts'
import { printedBy } from '../../support/programs/printed-by.ts'
import { descendantsOf, untilEnded } from '../../support/programs/process-family.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { ndjson, rawLogOf } from '../../support/records/raw-log-of.ts'
import { until } from '../../support/runner/until.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useStarted } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const engine = useEngine()
const writeText = useTextFiles()
const folder = useFolder()

const chain = useChain()
let asked = 0
const silent = useStarted(() =>
  listen(() => {
    asked += 1
  }),
)

interface StartedScript {
  npm: ChildProcess
  printed(): string
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Runs a script as users do, through npm and its shell. */
function startScript(name: string, args: readonly string[]): StartedScript {
  const npm = spawn('npm', ['run', '--silent', name, '--', ...args], {
    cwd: ROOT,
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(npm, 'close').then(([code, signal]) => ({ code, signal }))
  return { npm, printed: printedBy(npm), ended }
}

const pathOf = (name: string) => path.join(folder, name)
const silentTable = () => ['--endpoint', silent.baseUrl, '--table', 'events']
const logs = () => writeText('logs.ndjson', ndjson([rawLogOf(makeEvent('Minted'))]))

/** Every command that runs for a long time, or that waits for a server that may never answer. */
const CASES: Record<string, () => string[] | Promise<string[]>> = {
  load: async () => [...silentTable(), await logs()],
  verify: silentTable,
  audit: () => ['--network', 'polygon', '--rpc', chain.rpcUrl, '--service', silent.baseUrl],
  show: () => ['all@polygon', ...silentTable()],
  explain: () => ['token-events', ...silentTable()],
  smoke: () => [silent.baseUrl],
  publish: () => [
    ...['--to', 'http://127.0.0.1:9/', '--secret', `whsec_${'A'.repeat(44)}`],
    ...['--service', silent.baseUrl, '--state', pathOf('publish.state')],
  ],
  export: () => ['token-events', '--service', silent.baseUrl, '--out', pathOf('export.csv')],
  follow: () => [silent.baseUrl, '--out', pathOf('copy.sqlite')],
  mcp: () => [silent.baseUrl],
  package: () => ['--package', pathOf('package')],
  'record-logs': () => [],
}
const STARTING = ['package', 'record-logs']

describe.each(['SIGINT', 'SIGTERM'] as const)('%s to npm', signal => {
  beforeEach(() => {
    asked = 0
  })

  test.each(Object.entries(CASES).filter(([name]) => isCommand(name)))(
    'ends npm run %s with all that it has started',
    async (name, args) => {
      const script = startScript(name, await args())
      await until(() => (STARTING.includes(name) ? descendantsOf(script.npm.pid).length > 1 : asked > 0))
      const family = descendantsOf(script.npm.pid)

      script.npm.kill(signal)

      const { code, signal: endedBy } = await script.ended
      expect(code === 0 && endedBy === null).toBe(false)
      await untilEnded(family)
    },
  )

  test('ends npm run index, which gives its lease back', async () => {
    const { script, read } = await followHead()

    script.npm.kill(signal)

    expect(await script.ended).toMatchObject({ code: signal === 'SIGINT' ? 130 : 143 })
    expect(script.printed()).toContain('polygon is indexed up to block 1 (')
    await read.untilReleased()
  })
})

test('npm run index gives its lease back where npm itself was killed', async () => {
  const { script, read } = await followHead()
  const family = descendantsOf(script.npm.pid)

  script.npm.kill('SIGKILL')

  await untilEnded(family)
  await read.untilReleased()
})

test('npm run index gives its lease back where nobody reads its output any more', async () => {
  const { script, read } = await followHead()

  script.npm.stdout?.destroy()
  script.npm.stderr?.destroy()

  expect(await script.ended).toMatchObject({ code: 141 })
  await read.untilReleased()
})

test('Ctrl-C, which comes from the terminal and from npm, is one request to stop', async () => {
  const { script, read } = await followHead()
  const [indexer = 0] = descendantsOf(script.npm.pid)

  process.kill(indexer, 'SIGINT')
  script.npm.kill('SIGINT')

  expect(await script.ended).toMatchObject({ code: 130 })
  await read.untilReleased()
})

async function followHead() {
  const tableName = await engine.createEventsTable()
  const table = ['--endpoint', engine.endpoint, '--table', tableName]
  const source = ['--network', 'polygon', '--rpc', chain.rpcUrl, '--confirmations', '0', '--follow']
  const script = startScript('index', [...table, ...source])
  const checkpoint = async () => (await readIndexedTable(engine.client, tableName, 'polygon')).checkpoint
  await until(async () => (await checkpoint())?.blockNumber === 1)
  const untilReleased = () => until(async () => (await checkpoint())?.leased === false)
  return { script, read: { untilReleased } }
}
