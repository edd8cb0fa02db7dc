import { createCallObserver } from '../../../lib/http/create-call-observer.ts'
import type { ObservedCall } from '../../../lib/http/observer.ts'
import { parseQuery } from '../../../lib/query/parse-query.ts'
import { planQuery } from '../../../lib/query/plan-query.ts'
import { noCost } from '../../../lib/query/request-cost.ts'
import { printedLines } from '../../support/programs/printed-lines.ts'

const { jest } = import.meta
const setVariables = (variables: NodeJS.ProcessEnv) =>
  jest.replaceProperty(process, 'env', { ...process.env, ...variables })
afterEach(() => jest.restoreAllMocks())

const USER = '0x1e0049783f008a0085193e00003d00cd54003c71'

function answerOf({ isPartial = false } = {}) {
  const { query } = parseQuery({ endpoint: 'user-events', user: USER, parameters: [] })
  const cost = { ...noCost(), calls: 1, roundTrips: 1, rowsExamined: 3, readUnits: 2.5 }
  return { query, records: [], next: undefined, isPartial, plan: planQuery(query), cost }
}

const call: ObservedCall = { endpoint: 'user-events', status: 200, requestId: 'request-1', durationMs: 12.5 }

/** Reads the line as CloudWatch does, and returns the values of the metrics and dimensions by name. */
function metricsOf(line: Record<string, unknown> = {}) {
  const { CloudWatchMetrics } = line._aws as {
    CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[]
  }
  return CloudWatchMetrics.map(({ Namespace, Dimensions, Metrics }) => ({
    Namespace,
    dimensions: Dimensions.map(names => Object.fromEntries(names.map(name => [name, line[name]]))),
    metrics: Object.fromEntries(Metrics.map(({ Name }) => [Name, line[Name]])),
  }))
}

test('an answer is a log line with request id, plan and cost, and a line of metrics, without the requested user', () => {
  const [log, metrics, ...more] = printedLines(() => createCallObserver().answered(answerOf(), call))

  expect(JSON.stringify([log, metrics, more])).not.toContain(USER)
  expect(log).toMatchObject({ level: 'INFO', message: 'answered', ...call })
  expect(log).toMatchObject({ records: 0, plan: 'lists', readUnits: 2.5, rowsExamined: 3 })
  expect(metricsOf(metrics)).toEqual([
    {
      Namespace: 'BlockchainEvents',
      dimensions: [{ service: expect.any(String), endpoint: 'user-events' }],
      metrics: { CorruptRows: 0, PartialPages: 0, ReadUnits: 2.5, Status200: 1, Latency: 12.5 },
    },
  ])
})

type CallObserver = ReturnType<typeof createCallObserver>
const smoke: ObservedCall = { ...call, status: 'direct', isSmokeCheck: true }
const refusedWith =
  (changes: Partial<ObservedCall>, problem?: 'not-indexed-yet') => (observer: CallObserver) =>
    observer.refused({ ...call, ...changes }, problem)

test.each<
  [string, act: (observer: CallObserver) => void, counted: Record<string, number>, endpoint?: string]
>([
  ['a partial page', each => each.answered(answerOf({ isPartial: true }), call), { PartialPages: 1 }],
  ['a smoke check', each => each.answered(answerOf(), smoke), { SmokeChecksPassed: 1, DirectAnswers: 1 }],
  [
    'a path that leads to no endpoint',
    refusedWith({ endpoint: undefined, status: 404 }),
    { Status404: 1 },
    'none',
  ],
  ['a refused request', refusedWith({ status: 400 }), { Status400: 1 }],
  ['a refused call', refusedWith({ status: 'direct' }), { DirectRefusals: 1 }],
  ['a request for a later block', refusedWith({ status: 412 }, 'not-indexed-yet'), { Status412: 1 }],
  [
    'a call for a later block, which is no failure,',
    refusedWith({ status: 'direct' }, 'not-indexed-yet'),
    { DirectRefusals: 1, DirectNotIndexedYet: 1 },
  ],
])('%s is counted as such', (_, act, counted, endpoint = 'user-events') => {
  const [, metrics] = printedLines(() => act(createCallObserver()))

  expect(metricsOf(metrics)).toMatchObject([
    { dimensions: [{ endpoint }], metrics: { ...counted, Latency: 12.5 } },
  ])
})

test('a failure is logged with the error and its cause, and a refusal with its problem', () => {
  const error = new Error('The store does not answer', { cause: new Error('socket hang up') })
  const [log, metrics] = printedLines(() => createCallObserver().failed(error, { ...call, status: 503 }))

  const told = { message: 'The store does not answer', cause: { message: 'socket hang up' } }
  expect(log).toMatchObject({ level: 'ERROR', message: 'failed', status: 503, error: told })
  expect(metricsOf(metrics)).toMatchObject([{ metrics: { Status503: 1 } }])
  const [thrown] = printedLines(() => createCallObserver().failed('broken', { ...call, status: 500 }))
  expect(thrown).toMatchObject({ error: { message: 'broken' } })
  const [refused] = printedLines(() => refusedWith({}, 'not-indexed-yet')(createCallObserver()))
  expect(refused).toMatchObject({ level: 'INFO', message: 'refused', problem: 'not-indexed-yet' })
})

test('the first call of an instance is counted as a cold start, and no other', () => {
  setVariables({ AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand' })
  const observer = createCallObserver()
  const counted = [call, call].map(each =>
    printedLines(() => observer.answered(answerOf(), each)).filter(line => 'ColdStart' in line),
  )

  expect(counted.map(({ length }) => length)).toEqual([1, 0])
  expect(metricsOf(counted[0]?.[0])).toMatchObject([{ metrics: { ColdStart: 1 } }])
})

const failedWith = (status: ObservedCall['status']) => (observer: CallObserver) =>
  observer.failed(new Error('x'), { ...call, status })

test.each<[string, (observer: CallObserver) => void, isByVersion: boolean]>([
  ['a failed request', failedWith(500), true],
  ['a failed direct call', failedWith('direct'), true],
  ['a refused direct call', refusedWith({ status: 'direct' }), true],
  ['a refused request', refusedWith({ status: 400 }), false],
  ['an answer', observer => observer.answered(answerOf(), call), false],
])('if the version is known, %s is also counted by version: %s', (_, act, isByVersion) => {
  setVariables({ AWS_LAMBDA_FUNCTION_VERSION: '7' })
  const [metrics] = printedLines(() => act(createCallObserver())).filter(line => '_aws' in line)
  const dimensions = metricsOf(metrics)[0]?.dimensions.map(each => Object.keys(each).sort().join())

  expect(dimensions).toEqual(['endpoint,service', ...(isByVersion ? ['service,version'] : [])])
})
