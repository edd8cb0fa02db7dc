import pMap from 'p-map'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createCallObserver } from '../../../lib/http/create-call-observer.ts'
import { DEADLINE_RESERVE_MS } from '../../../lib/query/budget.ts'
import { StoreUnavailableError } from '../../../lib/query/errors.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { type Interceptor, startFaultProxy } from '../../support/faults/fault-proxy.ts'
import { pass, status } from '../../support/faults/faults.ts'
import { READ_FAULTS } from '../../support/faults/read-faults.ts'
import { CALL_HEADER, limitByOutcome } from '../../support/faults/time-limits.ts'
import { ask, type HttpAnswer, type LambdaHandler } from '../../support/http/ask.ts'
import { LAMBDA_REQUEST_ID, LONG_INVOCATION_MS } from '../../support/http/http-events.ts'
import { queryFunction } from '../../support/http/query-functions.ts'
import { expectRecords } from '../../support/oracle/expect-records.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { printedLines } from '../../support/programs/printed-lines.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { longBatch, makeEvent } from '../../support/records/make-event.ts'
import { type ApiRequest, tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { shapesOf } from '../../support/requests/plan-shapes.ts'
import { IS_LONG_RUN } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

knowNodeErrors()
const engine = useEngine()

/** Concurrent, because some faults make a run wait between attempts. */
const RUNS_AT_ONCE = 20

const [user, other] = [ADDRESS_POOL[3], ADDRESS_POOL[4]]
/** Its ids are stored in chunks, so every answer with this event takes one more call. */
const large = makeEvent('TransferBatch', {
  address: ADDRESS_POOL[2],
  blockNumber: 99_000_000,
  createdAt: '2024-06-02T00:00:00.000Z',
  operator: user,
  from: user,
  to: other,
  ...longBatch(300),
})
/** Its items in the lists of its token ids do not contain the ids, so answers from these lists take one more call. */
const medium = makeEvent('TransferBatch', { ...large, logIndex: 4, ...longBatch(60) })
const RECORDS = [...eventSetOf({ blocks: 8, events: 3, crowd: 60 }, 17), large, medium]

const ofMedium = `address=${medium.address}&tokenId=${medium.tokenIds[0] ?? ''}`
const QUERIES: [name: string, request: ApiRequest][] = [
  ['a count', userEvents(user, [['skip', '51']])],
  ['skipped places', tokenEvents('skip=51&limit=9')],
  ['block runs', tokenEvents('blockNumber=99000000&blockNumber=asc')],
  ['a token id in another list', tokenEvents(`${ofMedium}&blockNumber=99000000`)],
  ['the number of matches', userEvents(user, 'count=true&limit=3')],
  // A short run sends about every second query, each in a different order.
  ...shapesOf(RECORDS).filter((_, index) => IS_LONG_RUN || index % 13 === 0),
]

let tableName: string

/** Calls are numbered from 0, and each retry counts as a call. */
type Script = (call: number) => Interceptor

/** These strings must never appear in an answer. */
const CREDENTIALS = {
  accessKeyId: 'AKIANEVERTOBESEEN',
  secretAccessKey: 'secret-never-to-be-seen',
  sessionToken: 'token-never-to-be-seen',
}

/** Injects faults into the calls of one request. Hanging calls time out immediately. */
async function begin(request: ApiRequest) {
  const run: { script: Script; calls: number } = { script: () => pass, calls: 0 }
  const proxy = await startFaultProxy(engine.endpoint, async (proxied, forward) => {
    const outcome = await run.script(run.calls++)(proxied, forward)
    tellOutcome(String(proxied.headers[CALL_HEADER]), outcome)
    return outcome
  })
  // The credentials are copied, because the SDK modifies the object.
  const client = createClient({ endpoint: proxy.url, region: 'local', credentials: { ...CREDENTIALS } })
  const tellOutcome = limitByOutcome(client)
  const errors: unknown[] = []
  const ignore = () => undefined
  const handler = queryFunction(request.endpoint, {
    store: createDynamoEventStore({ client, tableName }),
    observer: { answered: ignore, refused: ignore, failed: error => errors.push(error) },
  })
  return {
    errors,
    async stop() {
      client.destroy()
      await proxy.stop()
    },
    /** By default, the request's time never runs out. */
    async ask(script: Script, timeLeftMs = LONG_INVOCATION_MS) {
      Object.assign(run, { script, calls: 0 })
      const timed: LambdaHandler = (event, context) =>
        handler(event, { ...context, getRemainingTimeInMillis: () => timeLeftMs })
      const answer = await ask(timed, request, 'http-api')
      return { answer, calls: run.calls }
    },
  }
}

/** Expects the oracle's full answer, the beginning of that answer with a cursor, or a 503. */
function verdictOf(answer: HttpAnswer, request: ApiRequest): 'as the oracle' | 'part of it' | '503' {
  if (answer.status === 503) {
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    expect(answer.headers['x-request-id']).toBe(LAMBDA_REQUEST_ID)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toEqual({
      type: expect.stringMatching(/#store-unavailable$/),
      title: 'Temporarily unavailable',
      status: 503,
      detail: 'The events cannot be read at the moment. Try again shortly.',
      instance: LAMBDA_REQUEST_ID,
    })
    return '503'
  }
  const expected = validAnswer(RECORDS, request)
  expect({ request, status: answer.status }).toEqual({ request, status: 200 })
  if (answer.headers['x-partial'] === undefined) {
    expectRecords(answer.body as EventRecord[], expected.events)
    expect(answer.headers.link !== undefined).toBe(expected.more)
    return 'as the oracle'
  }
  const found = answer.body as EventRecord[]
  expectRecords(found, expected.events.slice(0, found.length))
  expect(answer.headers).toHaveProperty('link')
  return 'part of it'
}

/** After lasting faults, repeats the request without faults and expects a full answer. */
async function askUnder(script: Script, { request, isLasting }: { request: ApiRequest; isLasting: boolean }) {
  const read = await begin(request)
  try {
    const { answer } = await read.ask(script)
    const verdict = verdictOf(answer, request)
    expect(read.errors.every(error => error instanceof StoreUnavailableError)).toBe(true)
    if (isLasting) {
      const { answer: next } = await read.ask(() => pass)
      const afterwards = verdictOf(next, request)
      expect({ request, afterwards }).toEqual({ request, afterwards: 'as the oracle' })
    }
    return verdict
  } finally {
    await read.stop()
  }
}

/** `calls` counts calls to DynamoDB. */
const asked: { request: ApiRequest; calls: number }[] = []

beforeAll(async () => {
  tableName = await engine.createEventsTable(RECORDS)
  for (const [, request] of QUERIES) {
    const read = await begin(request)
    const { answer, calls } = await read.ask(() => pass)
    expect(verdictOf(answer, request)).toBe('as the oracle')
    await read.stop()
    asked.push({ request, calls })
  }
})

/** The SDK retries after these faults, so a single fault has no effect. */
const UNNOTICED = ['connection reset', 'internal error', 'answer lost', 'no answer', 'answer stalls']

/** In a short run, faults alternate between single and lasting. */
const TURNS = IS_LONG_RUN ? ['once', 'lasting'] : ['by turns']

describe.each(TURNS)('a fault at any call of any plan, %s', turn => {
  test.each(Object.entries(READ_FAULTS))('%s: the answer is right, or a clean 503', async (name, fault) => {
    const index = Object.keys(READ_FAULTS).indexOf(name)
    const runs = asked.flatMap(({ request, calls }) =>
      Array.from({ length: calls }, (_, at) => {
        const isLasting = turn === 'by turns' ? (index + at) % 2 === 1 : turn === 'lasting'
        const script: Script = call => (call === at || (isLasting && call > at) ? fault : pass)
        return { request, script, isLasting }
      }),
    )
    await pMap(
      runs,
      async ({ script, ...run }) => {
        const verdict = await askUnder(script, run)
        if (run.isLasting || !UNNOTICED.includes(name)) return
        expect({ ...run, verdict }).toEqual({ ...run, verdict: 'as the oracle' })
      },
      { concurrency: RUNS_AT_ONCE },
    )

    expect(runs.length).toBeGreaterThan(QUERIES.length)
  })
})

test('a read that does not end is aborted before the deadline of the function', async () => {
  const request = tokenEvents('skip=51&blockNumber=desc&createdAt=desc')
  const read = await begin(request)
  const { answer } = await read.ask(() => () => new Promise(() => {}), DEADLINE_RESERVE_MS + 100)
  await read.stop()

  expect(verdictOf(answer, request)).toBe('503')
  expect(read.errors).toMatchObject([{ cause: { message: 'No answer within 100 ms' } }])
})

test('a request that DynamoDB refuses is told to whoever keeps the logs, without credentials', async () => {
  const signed = `The Canonical String for this request should have been\n'POST\n/\n\nhost:dynamodb\nx-amz-security-token:${CREDENTIALS.sessionToken}\n\nhost'`
  const refusal = status(400, {
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: { __type: 'com.amazon.coral.service#InvalidSignatureException', message: signed },
  })
  const read = await begin(userEvents(user))
  const { answer } = await read.ask(() => refusal)
  await read.stop()
  const call = { endpoint: 'user-events', status: 500, requestId: 'request-1', durationMs: 1 } as const
  const lines = printedLines(() => createCallObserver().failed(read.errors[0], call))

  expect(answer.status).toBe(500)
  expect(answer.text).not.toContain('Canonical')
  expect(JSON.stringify(lines)).toContain('Canonical String')
  for (const secret of Object.values(CREDENTIALS)) expect(JSON.stringify(lines)).not.toContain(secret)
})
