import type { EventRecord } from '../../../lib/events/record.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { ask, type HttpAnswer, type LambdaHandler } from '../http/ask.ts'
import { LAMBDA_REQUEST_ID, LONG_INVOCATION_MS } from '../http/http-events.ts'
import { queryFunction } from '../http/query-functions.ts'
import { expectRecords } from '../oracle/expect-records.ts'
import { validAnswer } from '../oracle/valid-answer.ts'
import type { ApiRequest } from '../requests/api-request.ts'
import { type Interceptor, startFaultProxy } from './fault-proxy.ts'
import { pass } from './faults.ts'
import { CALL_HEADER, limitByOutcome } from './time-limits.ts'

const READER_HEADER = 'x-test-reader'

/** Calls are numbered from 0, and each retry counts as a call. */
export type Script = (call: number) => Interceptor

/** The oracle's full answer, the beginning of that answer with a cursor, or a 503. */
export type Verdict = 'as the oracle' | 'part of it' | '503'

/** Injects faults into every read. Hanging requests time out immediately. */
export async function startFaultyReads(endpoint: string, tableName: string) {
  const readers = new Map<string, Interceptor>()
  let begun = 0
  const proxy = await startFaultProxy(endpoint, (request, forward) => {
    const intercept = readers.get(String(request.headers[READER_HEADER]))
    if (!intercept) throw new Error('A request must contain the number of its reader')
    return intercept(request, forward)
  })

  return {
    stop: proxy.stop,
    begin(request: ApiRequest) {
      const client = createClient({
        endpoint: proxy.url,
        region: 'local',
        // The credentials are copied, because the SDK modifies the object.
        credentials: { ...CREDENTIALS },
      })
      const run: { script: Script; calls: number } = { script: () => pass, calls: 0 }
      const tellOutcome = limitByOutcome(client)
      const reader = String(begun++)
      readers.set(reader, async (proxied, forward) => {
        const outcome = await run.script(run.calls++)(proxied, forward)
        tellOutcome(String(proxied.headers[CALL_HEADER]), outcome)
        return outcome
      })
      client.middlewareStack.add(
        next => args => {
          Object.assign((args.request as { headers: object }).headers, { [READER_HEADER]: reader })
          return next(args)
        },
        { step: 'build' },
      )
      const errors: unknown[] = []
      const handler = queryFunction(request.endpoint, {
        store: createDynamoEventStore({ client, tableName }),
        observer: {
          answered: () => undefined,
          refused: () => undefined,
          failed: error => errors.push(error),
        },
      })
      return {
        errors,
        end() {
          readers.delete(reader)
          client.destroy()
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
    },
  }
}

/** These strings must never appear in an answer. */
export const CREDENTIALS = {
  accessKeyId: 'AKIANEVERTOBESEEN',
  secretAccessKey: 'secret-never-to-be-seen',
  sessionToken: 'token-never-to-be-seen',
}

/** Expects a correct answer or a temporary error. */
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
  const expected = validAnswer(records, request)
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
