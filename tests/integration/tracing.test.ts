import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { bundleFunction } from '../support/programs/bundle-function.ts'
import { eventSetOf } from '../support/records/arbitrary-records.ts'
import { until } from '../support/runner/until.ts'
import { useEngine } from '../support/store/engine.ts'

const engine = useEngine()
const INVOKER = path.join(import.meta.dirname, '../support/programs/invoke-traced.cjs')
const [{ address } = { address: '' }] = eventSetOf({ blocks: 2, events: 2 }, 7)

/** A part of a trace, as X-Ray takes it. */
interface Segment {
  name: string
  trace_id?: string
  parent_id?: string
  fault?: boolean
  error?: boolean
  annotations?: Record<string, unknown>
  namespace?: string
  aws?: { operation?: string; table_name?: string; index_name?: string }
  subsegments?: Segment[]
}

const END = 'the end'

/** What an X-Ray daemon would get: one line that says how, then one segment. */
async function startDaemon() {
  const socket = createSocket('udp4')
  const texts: string[] = []
  socket.on('message', message => texts.push(String(message).split('\n')[1] ?? ''))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  return {
    address: `127.0.0.1:${port}`,
    /** All that was sent before this was called. */
    async takeTexts() {
      socket.send(`\n${END}`, port, '127.0.0.1')
      await until(() => texts.at(-1) === END)
      return texts.slice(0, -1)
    },
    stop: () => socket.close(),
  }
}

const traceHeader = (number: number, sampled: boolean) =>
  `Root=1-5759e988-bd862e3fe1be46a99427279${number};Parent=53995c3f42cd8ad${number};Sampled=${sampled ? 1 : 0}`

let folder: string
let bundle: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'traced-'))
  const { file } = await bundleFunction('functions/token-events.ts', { outdir: folder })
  bundle = file
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Invokes the deployed bundle of token-events once for each entry, sampled or not. */
async function traced(payload: object, sampled: boolean[]): Promise<{ segments: Segment[]; text: string }> {
  const daemon = await startDaemon()
  try {
    const invocations = sampled.map((each, number) => ({ payload, traceHeader: traceHeader(number, each) }))
    const { NODE_OPTIONS: _, ...environment } = process.env
    await promisify(execFile)(process.execPath, [INVOKER, bundle, JSON.stringify(invocations)], {
      env: {
        ...environment,
        LAMBDA_TASK_ROOT: folder,
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
        AWS_XRAY_DAEMON_ADDRESS: daemon.address,
        AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
        AWS_REGION: 'local',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        EVENTS_TABLE: await engine.createEventsTable(),
        POWERTOOLS_SERVICE_NAME: 'events-test',
      },
    })
    const texts = await daemon.takeTexts()
    return { segments: texts.map(each => JSON.parse(each)), text: texts.join('\n') }
  } finally {
    daemon.stop()
  }
}

const named = (segments: Segment[], name: string) => segments.filter(segment => segment.name === name)

test('sampled invocations tell of the handler and of each call to the table, in their own traces', async () => {
  const { segments } = await traced({ query: { address } }, [true, true, true, true])

  const calls = named(segments, 'token-events')
  expect(calls.map(call => call.trace_id)).toEqual(
    [1, 2, 3].map(number => `1-5759e988-bd862e3fe1be46a99427279${number}`),
  )
  expect(calls.map(call => call.parent_id)).toEqual([1, 2, 3].map(number => `53995c3f42cd8ad${number}`))
  const parts = named([...segments, ...calls.flatMap(call => call.subsegments ?? [])], 'DynamoDB')
  // How far chains are indexed is read now and then, too.
  const reads = parts.filter(({ aws }) => aws?.operation === 'Query')
  expect(reads).toHaveLength(3)
  expect(reads[0]).toMatchObject({ namespace: 'aws', aws: { index_name: 'byToken' } })
})

test('no trace holds whose events were asked for', async () => {
  const { text } = await traced({ query: { address } }, [true, true])

  expect(text).toContain('DynamoDB')
  expect(text).not.toContain(address)
})

test('a call that fails is marked', async () => {
  const { segments } = await traced({ query: { limit: 'x' } }, [true, true])

  expect(named(segments, 'token-events')).toMatchObject([{ fault: true }])
})

test('invocations that are not sampled are not traced', async () => {
  expect((await traced({ query: { address } }, [false, false])).segments).toEqual([])
})
