import fc from 'fast-check'
import pMap from 'p-map'
import { createCallObserver } from '../../../lib/http/create-call-observer.ts'
import { DEADLINE_RESERVE_MS } from '../../../lib/query/budget.ts'
import { StoreUnavailableError } from '../../../lib/query/errors.ts'
import { pass, status } from '../../support/faults/faults.ts'
import { READ_FAULTS } from '../../support/faults/read-faults.ts'
import {
  CREDENTIALS,
  type Script,
  startFaultyReads,
  verdictOf,
} from '../../support/faults/read-under-faults.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { printedLines } from '../../support/programs/printed-lines.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { longBatch, makeEvent } from '../../support/records/make-event.ts'
import { createRandom } from '../../support/records/random.ts'
import { type ApiRequest, tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { shapesOf } from '../../support/requests/plan-shapes.ts'
import { FAULT_RUN_COUNT, IS_LONG_RUN, SEED } from '../../support/runner/test-size.ts'
import { useStarted } from '../../support/runner/use-started.ts'
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

const EVERY_PLAN: [name: string, request: ApiRequest][] = [
  ['one list', userEvents(user)],
  ['one list of a network', userEvents(user, [['network', 'base']])],
  ['competing lists', tokenEvents(`from=${user}&to=${other}&event=TransferBatch`)],
  ['merge by time', tokenEvents([['limit', '20']])],
  ['merge by block', userEvents(user, 'blockNumber=desc&limit=7')],
  ['ties reversed', userEvents(user, 'createdAt=desc&blockNumber=asc')],
  ['ties reversed, merge', tokenEvents('createdAt=asc&blockNumber=desc&limit=9')],
  ['block runs', tokenEvents('blockNumber=99000000&blockNumber=asc')],
  ['a count', userEvents(user, [['skip', '51']])],
  ['skipped places', tokenEvents('skip=51&limit=9')],
  ['a span of blocks', userEvents(user, 'network=base&fromBlock=3&toBlock=99000000')],
  ['a token id', tokenEvents(`address=${medium.address}&tokenId=${medium.tokenIds[0] ?? ''}`)],
  [
    'a token id in another list',
    tokenEvents(`address=${medium.address}&tokenId=${medium.tokenIds[0] ?? ''}&blockNumber=99000000`),
  ],
  ['the number of matches', userEvents(user, 'count=true&limit=3')],
  ['nothing', tokenEvents(`creator=${user}&from=${user}`)],
]
const QUERIES = IS_LONG_RUN ? [...EVERY_PLAN, ...shapesOf(RECORDS)] : EVERY_PLAN

const reads = useStarted(async () =>
  startFaultyReads(engine.endpoint, await engine.createEventsTable(RECORDS)),
)

/** After lasting faults, repeats the request without faults and expects a full answer. */
async function askUnder(script: Script, { request, isLasting }: { request: ApiRequest; isLasting: boolean }) {
  const read = reads.begin(request)
  try {
    const { answer } = await read.ask(script)
    const verdict = verdictOf(answer, { records: RECORDS, request })
    expect(read.errors.every(error => error instanceof StoreUnavailableError)).toBe(true)
    if (isLasting) {
      const { answer: next } = await read.ask(() => pass)
      const afterwards = verdictOf(next, { records: RECORDS, request })
      expect({ request, afterwards }).toEqual({ request, afterwards: 'as the oracle' })
    }
    return verdict
  } finally {
    read.end()
  }
}

/** `calls` counts calls to DynamoDB. */
const asked: { request: ApiRequest; calls: number }[] = []

beforeAll(async () => {
  for (const [, request] of QUERIES) {
    const read = reads.begin(request)
    const { answer, calls } = await read.ask(() => pass)
    expect(verdictOf(answer, { records: RECORDS, request })).toBe('as the oracle')
    read.end()
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

test(`random faults at random calls of random requests of seed ${SEED}: the same`, async () => {
  const random = createRandom(SEED)
  const faults = Object.values(READ_FAULTS)
  const requests = fc.sample(requestsOn(RECORDS), { seed: SEED, numRuns: FAULT_RUN_COUNT })
  await pMap(
    requests,
    async request => {
      const rate = random.pick([0.05, 0.2, 0.5])
      const script = () => (random.chance(rate) ? random.pick(faults) : pass)
      await askUnder(script, { request, isLasting: true })
    },
    { concurrency: RUNS_AT_ONCE },
  )
})

test('a read that does not end is aborted before the deadline of the function', async () => {
  const request = tokenEvents('skip=51&blockNumber=desc&createdAt=desc')
  const read = reads.begin(request)
  const { answer } = await read.ask(() => () => new Promise(() => {}), DEADLINE_RESERVE_MS + 100)
  read.end()

  expect(verdictOf(answer, { records: RECORDS, request })).toBe('503')
  expect(read.errors).toMatchObject([{ cause: { message: 'No answer within 100 ms' } }])
})

test('a request that DynamoDB refuses is told to whoever keeps the logs, without credentials', async () => {
  const signed = `The Canonical String for this request should have been\n'POST\n/\n\nhost:dynamodb\nx-amz-security-token:${CREDENTIALS.sessionToken}\n\nhost'`
  const refusal = status(400, {
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: { __type: 'com.amazon.coral.service#InvalidSignatureException', message: signed },
  })
  const read = reads.begin(userEvents(user))
  const { answer } = await read.ask(() => refusal)
  read.end()
  const call = { endpoint: 'user-events', status: 500, requestId: 'request-1', durationMs: 1 } as const
  const lines = printedLines(() => createCallObserver().failed(read.errors[0], call))

  expect(answer.status).toBe(500)
  expect(answer.text).not.toContain('Canonical')
  expect(JSON.stringify(lines)).toContain('Canonical String')
  for (const secret of Object.values(CREDENTIALS)) expect(JSON.stringify(lines)).not.toContain(secret)
})
