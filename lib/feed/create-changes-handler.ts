import type { Context } from 'aws-lambda'
import { NOT_KEPT } from '../http/cache-control.ts'
import { isReading } from '../http/cors.ts'
import type { HandlerOptions } from '../http/create-handler.ts'
import { readDirectCall, SmokeCheckFailedError } from '../http/direct-call.ts'
import { endpointHandler } from '../http/http-boundary.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { ObservedCall } from '../http/observer.ts'
import { networkHeaders, serverTiming, unmatchableHeader } from '../http/page-headers.ts'
import { MethodNotAllowedError, NotFoundError } from '../http/problems.ts'
import { type HttpResponse, jsonResponse } from '../http/response.ts'
import { baseUrlOf, matchRoute, nextLink, routePath } from '../http/route.ts'
import { DEADLINE_RESERVE_MS } from '../query/budget.ts'
import { answerChanges, type ChangesAnswer } from './answer-changes.ts'
import type { ChangeStore } from './change-store.ts'
import { type ChangesInput, parseChanges } from './parse-changes.ts'

export interface ChangesHandlerOptions extends Omit<HandlerOptions, 'freshness'> {
  changeStore: ChangeStore
}

/** How long a reader that is up to date should wait: new blocks arrive every few seconds. */
const RETRY_AFTER_SECONDS = 5

/** Creates the Lambda handler of the feed of changes. The payload of its direct calls is `{ query?, smoke? }`. */
export function createChangesHandler(options: ChangesHandlerOptions) {
  const { store, changeStore, publicBaseUrl, observer, now } = options

  async function answer(input: ChangesInput, context: Context) {
    const startedAt = performance.now()
    const parsed = parseChanges({ ...input, networks: store.networks })
    const timeLeftMs = () => context.getRemainingTimeInMillis() - DEADLINE_RESERVE_MS
    const found = await answerChanges(parsed, { store, changeStore, timeLeftMs, now })
    return { parsed, found, durationMs: performance.now() - startedAt }
  }

  function observe(
    { changes: records, isPartial, cost }: ChangesAnswer,
    call: Omit<ObservedCall, 'endpoint'>,
  ) {
    const answered = { records, isPartial, plan: { read: 'changes' }, cost }
    observer?.answered(answered, { endpoint: 'changes', ...call })
  }

  async function answerHttp(request: HttpRequest, context: Context): Promise<HttpResponse> {
    if (matchRoute(request.path)?.endpoint !== 'changes') throw new NotFoundError()
    if (!isReading(request.method)) throw new MethodNotAllowedError()
    const { parsed, found, durationMs } = await answer({ parameters: request.parameters }, context)
    observe(found, { status: 200, requestId: context.awsRequestId, durationMs })
    return jsonResponse(200, JSON.stringify(found.changes), {
      Link: linkOf(found, request, publicBaseUrl),
      ...(found.isPartial && { 'X-Partial': 'true' }),
      ...(found.isUpToDate && { 'Retry-After': String(RETRY_AFTER_SECONDS) }),
      'Cache-Control': NOT_KEPT,
      ...networkHeaders(found.indexed, { isFinality: parsed.isFinal }),
      ...unmatchableHeader(parsed),
      'Server-Timing': serverTiming(found.cost, durationMs),
    })
  }

  async function answerDirectly(payload: unknown, context: Context) {
    const { isSmokeCheck, ...input } = readDirectCall('changes', payload)
    const { parsed, found, durationMs } = await answer(input, context)
    const { changes, next, isPartial: partial } = found
    if (isSmokeCheck && found.isUpToDate) throw new SmokeCheckFailedError('changes')
    observe(found, { status: 'direct', requestId: context.awsRequestId, durationMs, isSmokeCheck })
    return { changes, next, partial, ...(parsed.unmatchable && { unmatchable: parsed.unmatchable }) }
  }

  return endpointHandler({ endpoint: 'changes', publicBaseUrl, observer }, { answerHttp, answerDirectly })
}

function linkOf({ next }: ChangesAnswer, request: HttpRequest, publicBaseUrl: string | undefined): string {
  const resource = baseUrlOf(request, publicBaseUrl) + routePath('changes')
  // Only the first request has `from`, because later requests have a cursor instead.
  return nextLink({ resource, parameters: request.parameters.filter(([name]) => name !== 'from') }, next)
}
