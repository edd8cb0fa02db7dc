import type { Context } from 'aws-lambda'
import { answerParsed } from '../query/answer-query.ts'
import { DEADLINE_RESERVE_MS } from '../query/budget.ts'
import type { Total } from '../query/count-matches.ts'
import type { Endpoint } from '../query/endpoints.ts'
import type { EventStore } from '../query/event-store.ts'
import { finalThroughOf } from '../query/indexed-through.ts'
import { type KnownCheckpoints, readCheckpoints } from '../query/min-block/require-indexed.ts'
import { type ParsedQuery, parseQuery, type QueryInput } from '../query/parse-query.ts'
import { cacheControl } from './cache-control.ts'
import { isReading } from './cors.ts'
import { type DirectAnswer, directAnswer, readDirectCall } from './direct-call.ts'
import { chooseFormat, type Format, refuseTooLong } from './formats/formats.ts'
import type { Freshness, KnownFreshness } from './freshness.ts'
import { type BoundaryOptions, endpointHandler } from './http-boundary.ts'
import type { HttpRequest } from './http-request.ts'
import { networkHeaders, serverTiming, unmatchableHeader } from './page-headers.ts'
import { MethodNotAllowedError, NotFoundError } from './problems.ts'
import { type HttpResponse, textResponse } from './response.ts'
import { baseUrlOf, matchRoute, nextLink, routePath } from './route.ts'

export interface HandlerOptions extends Omit<BoundaryOptions, 'endpoint'> {
  store: EventStore
  /** If omitted, answers do not show how far each network is indexed. */
  freshness?: Freshness | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

/** The payload of a direct call is `{ address?, query?, smoke? }`. */
export function createHandler(endpoint: Endpoint, options: HandlerOptions) {
  const { store, publicBaseUrl, observer, freshness, now } = options

  function answer(parsed: ParsedQuery, { context, known, checkpoints, format }: AnswerContext) {
    const { bytesOf } = format?.sizes ?? {}
    return answerParsed(parsed, {
      store,
      timeLeftMs: timeLeftMs(context),
      finalThrough: finalThroughOf(known?.indexed ?? []),
      checkpoints,
      bytesOf,
      now,
    })
  }

  async function askFreshness(
    parsed: ParsedQuery,
    checkpoints: KnownCheckpoints | undefined,
  ): Promise<KnownFreshness | undefined> {
    // The checkpoints that this request has read are newer than the cached checkpoints, even if a reorganisation has
    // lowered their block numbers.
    if (checkpoints) return { indexed: checkpoints.indexed, lastFinal: new Map() }
    return isOfFinality(parsed) ? freshness?.finality(parsed.finalBefore) : freshness?.current()
  }

  async function answerHttp(request: HttpRequest, context: Context): Promise<HttpResponse> {
    const input = readQuery(endpoint, request)
    const parsed = parseQuery({ ...input, networks: store.networks })
    const startedAt = performance.now()
    // The checkpoints are read before the format is chosen, because the read can throw a 400, which takes precedence
    // over a 406.
    const checkpoints = await readCheckpoints(parsed.minBlocks, { store, timeLeftMs: timeLeftMs(context) })
    const format = chooseFormat(request.headers.accept, parsed.format)
    const known = parsed.plan.read === 'nothing' ? undefined : await askFreshness(parsed, checkpoints)
    const found = await answer(parsed, { context, known, checkpoints, format })
    const durationMs = performance.now() - startedAt
    if (known && !checkpoints) freshness?.charge(found.cost)
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
        networks: store.networks,
        isCounted: parsed.isCounted,
        lastFinal: known?.lastFinal,
      }),
      ...networkHeaders(known?.indexed ?? [], {
        isFinality: isOfFinality(parsed),
        finalBefore: parsed.finalBefore,
      }),
      ...(total && totalHeader(total)),
      ...unmatchableHeader(parsed),
      'Server-Timing': serverTiming(cost, durationMs),
    })
  }

  async function answerDirectly(payload: unknown, context: Context): Promise<DirectAnswer> {
    const { isSmokeCheck, ...input } = readDirectCall(endpoint, payload)
    const parsed = parseQuery({ ...input, networks: store.networks })
    const startedAt = performance.now()
    const checkpoints = await readCheckpoints(parsed.minBlocks, { store, timeLeftMs: timeLeftMs(context) })
    const known = isOfFinality(parsed) ? await askFreshness(parsed, checkpoints) : undefined
    // `checkTable` may wait for the first read of the checkpoints, so it runs in parallel with the answer.
    const [found] = await Promise.all([
      answer(parsed, { context, known, checkpoints }),
      freshness?.checkTable(),
    ])
    const durationMs = performance.now() - startedAt
    const answered = directAnswer(found, { endpoint, isSmokeCheck, unmatchable: parsed.unmatchable })
    const { awsRequestId: requestId } = context
    observer?.answered(found, { endpoint, status: 'direct', requestId, durationMs, isSmokeCheck })
    return answered
  }

  return endpointHandler({ endpoint, publicBaseUrl, observer }, { answerHttp, answerDirectly })
}

interface AnswerContext {
  context: Context
  /** How far the networks are indexed, or undefined if the request does not need this. */
  known: KnownFreshness | undefined
  checkpoints: KnownCheckpoints | undefined
  /** Undefined for a direct call, because its answer has no format. */
  format?: Format
}

const timeLeftMs = (context: Context) => () => context.getRemainingTimeInMillis() - DEADLINE_RESERVE_MS

const isOfFinality = ({ query: { filters } }: ParsedQuery): boolean =>
  filters !== 'unmatchable' && filters.finalized !== undefined

const totalHeader = ({ count, isExact }: Total) => ({
  [isExact ? 'X-Total-Count' : 'X-Total-Count-At-Least']: String(count),
})

/**
 * Reads the query from an HTTP request. Throws for a path or method that the endpoint does not serve, because a
 * function URL lets every request through. An HTTP API decodes the path, so an address in the path may contain a slash.
 * The address is therefore taken from the gateway's path parameter, or from the path if this parameter is missing.
 */
function readQuery(endpoint: Endpoint, { method, path, address, parameters }: HttpRequest): QueryInput {
  const route = matchRoute(path)
  const own = route?.endpoint === endpoint ? route : undefined
  const user = endpoint === 'user-events' ? (address ?? own?.address) : undefined
  if (!own && user === undefined) throw new NotFoundError()
  if (!isReading(method)) throw new MethodNotAllowedError()
  return { endpoint, parameters, ...(user !== undefined && { user }) }
}
