import type { EventRecord } from '../../../lib/events/record.ts'
import { createHandler } from '../../../lib/http/create-handler.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { createDynamoEventStore } from '../../../lib/store/dynamo-event-store.ts'
import { ask, type HttpAnswer, type LambdaHandler } from '../http/ask.ts'
import { LAMBDA_REQUEST_ID, lambdaContext } from '../http/http-events.ts'
import { answer as oracleAnswer } from '../oracle/oracle.ts'
import type { ApiRequest } from '../requests/api-request.ts'
import { type FaultProxy, type Interceptor, startFaultProxy } from './fault-proxy.ts'
import { pass } from './faults.ts'

/** As serverless.yml has it. */
const FUNCTION_TIMEOUT_MS = 10_000
const RUN_HEADER = 'x-test-run'

/** Decides the fault of the request to DynamoDB with this number, counted from 0 and retries included. */
export type Script = (call: number) => Interceptor

/** How a request was answered: all right, with a first part and a cursor, or asked to come again. */
export type Verdict = 'as the oracle' | 'part of it' | '503'

export interface FaultyReads {
  /** Asks a function of its own, whose way to DynamoDB is as the script says. */
  begin(request: ApiRequest): FaultyRead
  stop(): Promise<void>
}

interface FaultyRead {
  ask(script: Script, timeoutMs?: number): Promise<{ answer: HttpAnswer; calls: number; durationMs: number }>
  errors: unknown[]
  end(): void
}

/** A proxy before the table, through which every read goes with faults of its own. */
export async function startFaultyReads(endpoint: string, tableName: string): Promise<FaultyReads> {
  const runs = new Map<string, { script: Script; calls: number }>()
  const proxy: FaultProxy = await startFaultProxy(endpoint, (request, forward) => {
    const run = runs.get(String(request.headers[RUN_HEADER]))
    return (run?.script(run.calls++) ?? pass)(request, forward)
  })
  let count = 0

  return {
    stop: proxy.stop,
    begin(request) {
      const id = String(count++)
      const client = createClient({
        endpoint: proxy.url,
        region: 'local',
        // The SDK adds to what it is given.
        credentials: { ...CREDENTIALS },
      })
      client.middlewareStack.add(
        next => args => {
          Object.assign((args.request as { headers: object }).headers, { [RUN_HEADER]: id })
          return next(args)
        },
        { step: 'build' },
      )
      const errors: unknown[] = []
      const handler = createHandler(request.endpoint, {
        store: createDynamoEventStore({ client, tableName }),
        observer: {
          answered: () => undefined,
          refused: () => undefined,
          failed: error => errors.push(error),
        },
      }) as unknown as LambdaHandler
      return {
        errors,
        end: () => client.destroy(),
        async ask(script, timeoutMs = FUNCTION_TIMEOUT_MS) {
          const run = { script, calls: 0 }
          runs.set(id, run)
          const startedAt = performance.now()
          const deadline = startedAt + timeoutMs
          const timed: LambdaHandler = (event, context) =>
            handler(event, {
              ...context,
              ...lambdaContext({ getRemainingTimeInMillis: () => deadline - performance.now() }),
            })
          const answer = await ask(timed, request, 'http-api')
          return { answer, calls: run.calls, durationMs: performance.now() - startedAt }
        },
      }
    },
  }
}

/** Such as must never be seen anywhere. */
export const CREDENTIALS = {
  accessKeyId: 'AKIANEVERTOBESEEN',
  secretAccessKey: 'secret-never-to-be-seen',
  sessionToken: 'token-never-to-be-seen',
}

/** Expects an answer that is right, or says that there is none at the moment, and nothing else. */
export function verdictOf(
  answer: HttpAnswer,
  { records, request }: { records: EventRecord[]; request: ApiRequest },
): Verdict {
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
  const expected = oracleAnswer(records, request)
  if (expected.status !== 200) throw new Error('Only valid requests are asked')
  expect({ request, status: answer.status }).toEqual({ request, status: 200 })
  if (answer.headers['x-partial'] === undefined) {
    expect(answer.body).toEqual(expected.events)
    expect(answer.headers.link !== undefined).toBe(expected.more)
    return 'as the oracle'
  }
  const found = answer.body as EventRecord[]
  expect(found).toEqual(expected.events.slice(0, found.length))
  expect(answer.headers).toHaveProperty('link')
  return 'part of it'
}

/** How many requests met each fault with each verdict. */
export function createTally() {
  const rows: Record<string, Record<Verdict, number>> = {}
  return {
    rows,
    count(fault: string, verdict: Verdict) {
      rows[fault] ??= { 'as the oracle': 0, 'part of it': 0, '503': 0 }
      rows[fault][verdict] += 1
    },
  }
}
