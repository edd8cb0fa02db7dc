import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../infra/local/free-port.ts'
import { recordId } from '../../lib/events/record.ts'
import { engineName, useEngine } from '../support/engine.ts'
import { type LocalStack, runLocalStack } from '../support/local-stack.ts'

const LOGS = readFileSync(new URL('../../infra/local/data/chain-logs.ndjson', import.meta.url), 'utf8').split(
  '\n',
)
const START_TIMEOUT_MS = 60_000
const END_TIMEOUT_MS = 10_000

const engine = useEngine()
const folder = mkdtempSync(path.join(tmpdir(), 'local-stack-'))
const few = eventFile('few.ndjson', LOGS.slice(0, 30))
const others = eventFile('others.ndjson', LOGS.slice(30, 50))
const many = eventFile('many.ndjson', LOGS.slice(0, 300))
const started: LocalStack[] = []

afterEach(async () => {
  for (const stack of started.splice(0)) {
    stack.process.kill('SIGTERM')
    await stack.ended
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

test(
  'serves the events of its files and no others, two stacks side by side',
  async () => {
    const one = await run('--events', few.name, '--data-dir', path.join(folder, 'one'))
    const two = await run('--events', others.name, '--data-dir', path.join(folder, 'two'))
    await one.untilPrinted('Loading')
    await expect(fetch(one.url)).rejects.toThrow('fetch failed')
    await Promise.all([one.untilReady(), two.untilReady()])

    expect(await idsServedAt(one.url)).toEqual(few.ids)
    expect(await idsServedAt(two.url)).toEqual(others.ids)
    expect(one.output()).toContain(`API       ${one.url}\n`)
    expect(one.errors()).toBe('')
    const samples = [...one.output().matchAll(/^ {2}curl '(.+)'$/gm)].map(match => String(match[1]))
    expect(samples).toHaveLength(3)
    for (const sample of samples) expect(await idsAt(sample)).not.toEqual([])
  },
  START_TIMEOUT_MS,
)

test(
  'keeps its events for the next start, until other files are named or --fresh is given',
  async () => {
    const dataDir = path.join(folder, 'kept')
    const first = await run('--events', few.name, '--data-dir', dataDir)
    await first.untilReady()
    expect(await endBySignal(first, 'SIGINT')).toBe(0)

    const second = await run('--events', few.name, '--data-dir', dataDir)
    await second.untilReady()
    expect(second.output()).not.toContain('Loading')
    expect(await idsServedAt(second.url)).toEqual(few.ids)
    expect(await endBySignal(second, 'SIGTERM')).toBe(0)

    const third = await run('--events', others.name, '--data-dir', dataDir)
    await third.untilReady()
    expect(await idsServedAt(third.url)).toEqual(others.ids)
    expect(await endBySignal(third, 'SIGKILL')).toBe(null)

    const fourth = await run('--events', others.name, '--data-dir', dataDir, '--fresh')
    await fourth.untilReady()
    expect(fourth.output()).toContain('Loading others.ndjson')
    expect(await idsServedAt(fourth.url)).toEqual(others.ids)
    expect(await endByLosingAPart(fourth)).toBe(1)
    expect(fourth.errors()).toMatch(/^The (engine|API) .*ended \(SIGKILL\).*\n$/)
  },
  2 * START_TIMEOUT_MS,
)

test(
  'notices a first load that was interrupted, and completes it',
  async () => {
    const options = ['--events', many.name, '--data-dir', path.join(folder, 'interrupted')]
    const interrupted = await run(...options)
    await interrupted.untilPrinted('Loading')
    interrupted.process.kill('SIGKILL')
    await interrupted.ended
    const stack = await run(...options)
    await stack.untilReady()

    expect(interrupted.output()).not.toContain('loaded')
    expect(await idsServedAt(stack.url)).toEqual(many.ids)
  },
  START_TIMEOUT_MS,
)

test(
  'fills a DynamoDB that runs already, and does not replace what it holds without --fresh',
  async () => {
    const options = ['--endpoint', engine.endpoint, '--data-dir', path.join(folder, 'endpoint')]
    const stack = await start(['--events', few.name, ...options])
    await stack.untilReady()
    expect(await idsServedAt(stack.url)).toEqual(few.ids)
    stack.process.kill('SIGTERM')
    await stack.ended

    const refused = await start(['--events', others.name, ...options])
    expect(await refused.ended).toBe(1)
    expect(refused.errors()).toBe(
      `The table events at ${engine.endpoint} holds other events; replace it with --fresh\n`,
    )
  },
  START_TIMEOUT_MS,
)

test('says that the port is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stack = runLocalStack(['--port', String(port)])

  expect(await stack.ended).toBe(1)
  expect(stack.output()).toBe(`Port ${port} is in use; choose another one with --port\n`)
  server.close()
})

test('says that the data folder is in use', async () => {
  const dataDir = path.join(folder, 'shared')
  const first = await run('--events', many.name, '--data-dir', dataDir)
  await first.untilPrinted('Loading')
  const second = await run('--events', many.name, '--data-dir', dataDir)

  expect(await second.ended).toBe(1)
  expect(second.output()).toBe(
    `${dataDir} is in use by another local stack; give this one its own with --data-dir\n`,
  )
})

test('says that DynamoDB Local needs Java where there is none', async () => {
  const options = ['--port', String(await freePort()), '--data-dir', path.join(folder, 'java')]
  const stack = runLocalStack([...options, '--events', few.name, '--engine', 'dynamodb-local'], {
    JAVA_HOME: folder,
  })

  expect(await stack.ended).toBe(1)
  expect(stack.errors()).toBe(
    'The engine dynamodb-local needs Java 17 or newer, and no java was found (looked at JAVA_HOME and PATH)\n',
  )
})

test.each([
  [['--events', '/nowhere/logs.ndjson'], "Can't read /nowhere/logs.ndjson: no such file"],
  [['--events', folder], `Can't read ${folder}: not a file`],
  [['--events'], "error: option '--events <file>' argument missing"],
  [['--prot', '4010'], "error: unknown option '--prot' (Did you mean --port?)"],
  [['logs.ndjson'], 'error: too many arguments. Expected 0 arguments but got 1.'],
  [
    ['--port', '65536'],
    "error: option '--port <number>' argument '65536' is invalid. A port is a whole number from 1 to 65535.",
  ],
  [
    ['--engine', 'sqlite'],
    "error: option '--engine <name>' argument 'sqlite' is invalid. Allowed choices are dynalite, dynamodb-local.",
  ],
  [
    ['--endpoint', 'localhost:8000'],
    "error: option '--endpoint <url>' argument 'localhost:8000' is invalid. An endpoint is a URL such as http://127.0.0.1:8000.",
  ],
  [['--data-dir', '/dev/null/data'], "Can't keep data in /dev/null/data: "],
])('says in one line what is wrong with %j', async (options, reason) => {
  const stack = runLocalStack([
    '--port',
    String(await freePort()),
    '--data-dir',
    path.join(folder, 'wrong'),
    ...options,
  ])

  expect(await stack.ended).toBe(1)
  expect(stack.output().startsWith(reason)).toBe(true)
  expect(stack.output()).toBe(stack.errors())
  expect(stack.output().trimEnd()).not.toContain('\n')
})

/** A file of logs, and the ids of the events in it. */
function eventFile(name: string, lines: string[]) {
  const file = path.join(folder, name)
  writeFileSync(file, lines.join('\n'))
  return { name: file, ids: lines.map(line => recordId(JSON.parse(line))).sort() }
}

const run = (...options: string[]) => start(['--engine', engineName(), ...options])

async function start(options: string[]): Promise<RunningStack> {
  const port = await freePort()
  const stack = runLocalStack(['--port', String(port), ...options])
  started.push(stack)
  return { ...stack, url: `http://127.0.0.1:${port}` }
}

interface RunningStack extends LocalStack {
  url: string
}

const idsServedAt = (baseUrl: string) => idsAt(`${baseUrl}/v1/token-events?limit=500`)

async function idsAt(url: string): Promise<string[]> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  return ((await response.json()) as { id: string }[]).map(record => record.id).sort()
}

/** Ends the stack and returns its exit code, once nothing is left of it. */
async function endBySignal(stack: RunningStack, signal: NodeJS.Signals): Promise<number | null> {
  const family = descendantsOf(stack)
  stack.process.kill(signal)
  return nothingLeft(stack, family)
}

async function endByLosingAPart(stack: RunningStack): Promise<number | null> {
  const family = descendantsOf(stack)
  process.kill(Number(family[0]), 'SIGKILL')
  return nothingLeft(stack, family)
}

async function nothingLeft(stack: RunningStack, family: number[]): Promise<number | null> {
  const exitCode = await stack.ended
  expect(family.length).toBeGreaterThanOrEqual(2)
  await eventually(() => expect(family.filter(isAlive)).toEqual([]))
  await expect(fetch(stack.url)).rejects.toThrow('fetch failed')
  return exitCode
}

/** The processes that the stack has started, and those that they have. */
function descendantsOf({ process: { pid } }: LocalStack): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' })
  const pairs = table
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  const childrenOf = (parent: number): number[] =>
    pairs.flatMap(([ppid, child = 0]) => (ppid === parent ? [child, ...childrenOf(child)] : []))
  return childrenOf(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function eventually(check: () => void) {
  for (const deadline = Date.now() + END_TIMEOUT_MS; Date.now() < deadline; await delay(50)) {
    try {
      return check()
    } catch {
      // Not yet.
    }
  }
  check()
}
