import { createCallObserver } from '../../../lib/http/create-call-observer.ts'
import type { ObservedCall } from '../../../lib/http/observer.ts'
import { parseQuery } from '../../../lib/query/parse-query.ts'
import { planQuery } from '../../../lib/query/plan-query.ts'
import { noCost } from '../../../lib/query/request-cost.ts'
import { printedLines } from '../../support/programs/printed-lines.ts'

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

test('an answer is a log line with request id, plan and cost, and a line of metrics', () => {
  const [log, metrics] = printedLines(() => createCallObserver().answered(answerOf(), call))

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

test('no line contains the requested user', () => {
  const lines = printedLines(() => createCallObserver().answered(answerOf(), call))

  expect(JSON.stringify(lines)).not.toContain(USER)
})

type CallObserver = ReturnType<typeof createCallObserver>
const refusalAs = (metric: string) => ({ metrics: { [metric]: 1, Latency: 12.5 } })

test.each<[string, act: (observer: CallObserver) => void, counted: object]>([
  [
    'a partial page',
    observer => observer.answered(answerOf({ isPartial: true }), call),
    { metrics: { PartialPages: 1 } },
  ],
  [
    'a smoke check that found events',
    observer => observer.answered(answerOf(), { ...call, status: 'direct', isSmokeCheck: true }),
    { metrics: { SmokeChecksPassed: 1, DirectAnswers: 1 } },
  ],
  [
    'a path that leads to no endpoint',
    observer => observer.refused({ ...call, endpoint: undefined, status: 404 }),
    { dimensions: [{ endpoint: 'none' }], metrics: { Status404: 1, Latency: 12.5 } },
  ],
  ['a refused request', observer => observer.refused({ ...call, status: 400 }), refusalAs('Status400')],
  [
    'a refused call',
    observer => observer.refused({ ...call, status: 'direct' }),
    refusalAs('DirectRefusals'),
  ],
])('%s is counted as such', (_, act, counted) => {
  const [, metrics] = printedLines(() => act(createCallObserver()))

  expect(metricsOf(metrics)).toMatchObject([counted])
})

test('a direct call for a block that is not indexed yet has its own count, because it is no failure', () => {
  const metricsOfCall = (status: ObservedCall['status']) => {
    const observer = createCallObserver()
    const [log, metrics] = printedLines(() => observer.refused({ ...call, status }, 'not-indexed-yet'))
    expect(log).toMatchObject({ level: 'INFO', message: 'refused', problem: 'not-indexed-yet' })
    return metricsOf(metrics)[0]?.metrics
  }

  expect(metricsOfCall('direct')).toEqual({ DirectRefusals: 1, DirectNotIndexedYet: 1, Latency: 12.5 })
  expect(metricsOfCall(412)).toEqual({ Status412: 1, Latency: 12.5 })
})

test('a failure is logged with the error and its cause', () => {
  const error = new Error('The store does not answer', { cause: new Error('socket hang up') })
  const [log, metrics] = printedLines(() => createCallObserver().failed(error, { ...call, status: 503 }))

  const told = { message: 'The store does not answer', cause: { message: 'socket hang up' } }
  expect(log).toMatchObject({ level: 'ERROR', message: 'failed', status: 503, error: told })
  expect(metricsOf(metrics)).toMatchObject([{ metrics: { Status503: 1 } }])
})

test('a thrown value that is not an error is logged, too', () => {
  const [log] = printedLines(() => createCallObserver().failed('broken', { ...call, status: 500 }))

  expect(log).toMatchObject({ error: { message: 'broken' } })
})

test('the first call of an instance is counted as a cold start, and no other', () => {
  process.env.AWS_LAMBDA_INITIALIZATION_TYPE = 'on-demand'
  const observer = createCallObserver()
  delete process.env.AWS_LAMBDA_INITIALIZATION_TYPE
  const counted = [call, call].map(each =>
    printedLines(() => observer.answered(answerOf(), each)).filter(line => 'ColdStart' in line),
  )

  expect(counted.map(({ length }) => length)).toEqual([1, 0])
  expect(metricsOf(counted[0]?.[0])).toMatchObject([{ metrics: { ColdStart: 1 } }])
})

describe('if the version is known', () => {
  beforeAll(() => {
    process.env.AWS_LAMBDA_FUNCTION_VERSION = '7'
  })
  afterAll(() => {
    delete process.env.AWS_LAMBDA_FUNCTION_VERSION
  })

  const dimensionsOf = (act: () => void) => {
    const [metrics] = printedLines(act).filter(line => '_aws' in line)
    return metricsOf(metrics)[0]?.dimensions.map(each => Object.keys(each).sort())
  }
  const BY_ENDPOINT = ['endpoint', 'service']
  const BY_VERSION = ['service', 'version']

  test('only failures and refused direct calls are also counted by version', () => {
    const observer = () => createCallObserver()
    const fail = (status: ObservedCall['status']) =>
      dimensionsOf(() => observer().failed(new Error('x'), { ...call, status }))
    const refuse = (status: ObservedCall['status']) =>
      dimensionsOf(() => observer().refused({ ...call, status }))

    for (const counted of [fail(500), fail('direct'), refuse('direct')])
      expect(counted).toEqual([BY_ENDPOINT, BY_VERSION])
    for (const counted of [refuse(400), dimensionsOf(() => observer().answered(answerOf(), call))])
      expect(counted).toEqual([BY_ENDPOINT])
  })
})
