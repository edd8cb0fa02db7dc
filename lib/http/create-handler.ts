import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import type { Network } from '../events/networks.ts'
import { answerParsed } from '../query/answer-query.ts'
import { DEADLINE_RESERVE_MS } from '../query/budget.ts'
import type { Total } from '../query/count-matches.ts'
import type { Endpoint } from '../query/endpoint.ts'
import { StoreUnavailableError } from '../query/errors.ts'
import type { EventStore } from '../query/event-store.ts'
import { finalThroughOf } from '../query/indexed-through.ts'
import { type KnownCheckpoints, readCheckpoints } from '../query/min-block/require-indexed.ts'
import { type ParsedQuery, parseQuery, type QueryInput } from '../query/parse-query.ts'
import { baseUrlOf } from './base-url.ts'
import { cacheControl } from './cache-control.ts'
import { preflightResponse } from './cors.ts'
import { type DirectAnswer, directAnswer, readDirectCall } from './direct-call.ts'
import { chooseFormat } from './formats/choose-format.ts'
import type { Format } from './formats/formats.ts'
import { refuseTooLong } from './formats/refuse-too-long.ts'
import type { Freshness, KnownFreshness } from './freshness.ts'
import { type Call, httpBoundary } from './http-boundary.ts'
import { MethodNotAllowedError, NotFoundError } from './http-errors.ts'
import type { HttpRequest } from './http-request.ts'
import { finalizedThroughHeader, indexedThroughHeader } from './indexed-through-header.ts'
import { isReading } from './methods.ts'
import { nextLink } from './next-link.ts'
import type { Observer } from './observer.ts'
import { type HttpResponse, textResponse } from './response.ts'
import { matchRoute, routePath } from './route.ts'
import { serverTiming } from './server-timing.ts'

export interface HandlerOptions {
  store: EventStore
  /** The address that callers use, without a trailing slash; by default what the gateway reports. */
  publicBaseUrl?: string | undefined
  observer?: Observer | undefined
  /** How far the networks are indexed, where that is recorded. */
  freshness?: Freshness | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

/**
 * The Lambda handler of one endpoint. It answers API Gateway events (payload 2.0 and 1.0), function
 * URLs, and direct calls with `{ address?, query }`.
 */
export function createHandler(endpoint: Endpoint, options: HandlerOptions) {
  const { store, publicBaseUrl, observer, freshness, now } = options

  function answer(parsed: ParsedQuery, { context, known, checkpoints, format }: AnswerContext) {
    const { bytesOf } = format?.sizes ?? {}
    return answerParsed(parsed, {
      store,
      timeLeftMs: timeLeftMs(context),
      finalThrough: finalThrough(parsed, known),
      checkpoints,
      bytesOf,
      now,
    })
  }

  async function askFreshness(
    parsed: ParsedQuery,
    checkpoints: KnownCheckpoints | undefined,
  ): Promise<KnownFreshness | undefined> {
    // What was read for this request is newer than what is kept, and may say less.
    if (checkpoints) return { isKnown: true, indexed: checkpoints.indexed, lastFinal: new Map() }
    return isOfFinality(parsed) ? freshness?.finality(parsed.finalBefore) : freshness?.current()
  }

  async function answerHttp(request: HttpRequest, context: Context): Promise<HttpResponse> {
    if (request.method === 'OPTIONS') return preflightResponse()
    const input = readQuery(endpoint, request)
    const parsed = parseQuery(input)
    const startedAt = performance.now()
    // Before the format: it may find the request wrong.
    const checkpoints = await readCheckpoints(parsed.minBlocks, { store, timeLeftMs: timeLeftMs(context) })
    const format = chooseFormat(request.headers.accept, parsed.format)
    const known = parsed.plan.read === 'nothing' ? undefined : await askFreshness(parsed, checkpoints)
    const found = await answer(parsed, { context, known, checkpoints, format })
    const durationMs = performance.now() - startedAt
    if (known && !checkpoints) freshness?.charge(found.cost)
    const indexedThrough = indexedThroughHeader(known?.indexed ?? [])
    const finalizedThrough = isOfFinality(parsed) ? finalizedThroughHeader(known?.indexed ?? []) : undefined
    const { query, records, next, isPartial, total, cost } = found
    refuseTooLong(records, { request, format })
    const body = format.write(records)
    observer?.answered(found, { endpoint, status: 200, requestId: context.awsRequestId, durationMs })
    const resource = baseUrlOf(request, publicBaseUrl) + routePath(endpoint, input.user)
    return textResponse(format.contentType, body, {
      ...(next !== undefined && { Link: nextLink({ resource, parameters: request.parameters }, next) }),
      ...(isPartial && { 'X-Partial': 'true' }),
      'Cache-Control': cacheControl({
        query,
        records,
        hasNext: next !== undefined,
        isPartial,
        isCounted: parsed.isCounted,
        lastFinal: known?.lastFinal,
      }),
      ...(indexedThrough !== undefined && { 'X-Indexed-Through': indexedThrough }),
      ...(finalizedThrough !== undefined && { 'X-Finalized-Through': finalizedThrough }),
      ...(total && totalHeader(total)),
      ...(parsed.unmatchable && { 'X-Unmatchable': parsed.unmatchable.join(', ') }),
      'Server-Timing': serverTiming(cost, durationMs),
    })
  }

  async function answerDirectly(payload: unknown, context: Context): Promise<DirectAnswer> {
    const { isSmokeCheck, ...input } = readDirectCall(endpoint, payload)
    const parsed = parseQuery(input)
    const startedAt = performance.now()
    const checkpoints = await readCheckpoints(parsed.minBlocks, { store, timeLeftMs: timeLeftMs(context) })
    const known = isOfFinality(parsed) ? await askFreshness(parsed, checkpoints) : undefined
    const found = await answer(parsed, { context, known, checkpoints })
    const durationMs = performance.now() - startedAt
    const answered = directAnswer(found, { endpoint, isSmokeCheck, unmatchable: parsed.unmatchable })
    const { awsRequestId: requestId } = context
    observer?.answered(found, { endpoint, status: 'direct', requestId, durationMs, isSmokeCheck })
    return answered
  }

  return middy<Call, HttpResponse | DirectAnswer>()
    .use(httpBoundary({ endpoint, publicBaseUrl, observer }))
    .handler(async (call: Call, context: Context) =>
      'http' in call ? answerHttp(call.http, context) : answerDirectly(call.direct, context),
    )
}

interface AnswerContext {
  context: Context
  /** How far the networks are indexed, where that was asked. */
  known: KnownFreshness | undefined
  /** The same as it is stored now, where the request names blocks. */
  checkpoints: KnownCheckpoints | undefined
  /** Of an answer by HTTP. */
  format?: Format
}

const timeLeftMs = (context: Context) => () => context.getRemainingTimeInMillis() - DEADLINE_RESERVE_MS

const isOfFinality = ({ query: { filters } }: ParsedQuery): boolean =>
  filters !== 'unmatchable' && filters.finalized !== undefined

/**
 * Up to which block each network is final. Throws `StoreUnavailableError` where that is asked and could not be read:
 * what is final must not be taken for what is not.
 */
function finalThrough(parsed: ParsedQuery, known: KnownFreshness | undefined): Map<Network, number> {
  if (isOfFinality(parsed) && known && !known.isKnown) {
    throw new StoreUnavailableError(new Error('What is final could not be read'))
  }
  return finalThroughOf(known?.indexed ?? [])
}

const totalHeader = ({ count, isExact }: Total) => ({
  [isExact ? 'X-Total-Count' : 'X-Total-Count-At-Least']: String(count),
})

/**
 * The query of an HTTP request. Throws for another path or method, which a function URL lets through. The address
 * in the path of an HTTP API is decoded and may hold a slash, so there the gateway's reading of it is what counts.
 */
function readQuery(endpoint: Endpoint, { method, path, address, parameters }: HttpRequest): QueryInput {
  const route = matchRoute(path)
  const own = route?.endpoint === endpoint ? route : undefined
  const user = endpoint === 'user-events' ? (address ?? own?.address) : undefined
  if (!own && user === undefined) throw new NotFoundError()
  if (!isReading(method)) throw new MethodNotAllowedError()
  return { endpoint, parameters, ...(user !== undefined && { user }) }
}
