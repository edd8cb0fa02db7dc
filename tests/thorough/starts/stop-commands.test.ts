import path from 'node:path'
import { useChain } from '../../support/chain/chain.ts'
import { listen } from '../../support/http/listen.ts'
import { isCommand } from '../../support/programs/is-command.ts'
import { descendantsOf, untilEnded } from '../../support/programs/process-family.ts'
import { startProcess } from '../../support/programs/run-command.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { ndjson, rawLogOf } from '../../support/records/raw-log-of.ts'
import { until } from '../../support/runner/until.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useStarted } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'

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

/** Runs a script as users do, through npm and its shell. */
const startScript = (name: string, args: readonly string[]) =>
  startProcess('npm', ['run', '--silent', name, '--', ...args], { env: { HOME: folder } })

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

test.each(Object.entries(CASES).filter(([name]) => isCommand(name)))(
  'SIGINT to npm ends npm run %s with all that it has started',
  async (name, args) => {
    asked = 0
    const script = startScript(name, await args())
    await until(() => (STARTING.includes(name) ? descendantsOf(script.child.pid).length > 1 : asked > 0))
    const family = descendantsOf(script.child.pid)

    script.child.kill('SIGINT')

    expect(await script.ended).not.toBe(0)
    await untilEnded(family)
  },
)

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s to npm ends npm run index, which gives its lease back', async (signal, code) => {
  const { script, read } = await followHead()

  script.child.kill(signal)

  expect(await script.ended).toBe(code)
  expect(script.printed.all).toContain('polygon is indexed up to block 1 (')
  await read.untilReleased()
})

test('npm run index gives its lease back where npm itself was killed', async () => {
  const { script, read } = await followHead()
  const family = descendantsOf(script.child.pid)

  script.child.kill('SIGKILL')

  await untilEnded(family)
  await read.untilReleased()
})

test('npm run index gives its lease back where nobody reads its output any more', async () => {
  const { script, read } = await followHead()

  script.child.stdout?.destroy()
  script.child.stderr?.destroy()

  expect(await script.ended).toBe(141)
  await read.untilReleased()
})

test('Ctrl-C, which comes from the terminal and from npm, is one request to stop', async () => {
  const { script, read } = await followHead()
  const [indexer = 0] = descendantsOf(script.child.pid)

  process.kill(indexer, 'SIGINT')
  script.child.kill('SIGINT')

  expect(await script.ended).toBe(130)
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
