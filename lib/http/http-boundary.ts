import middy, { type MiddlewareObj, type Request } from '@middy/core'
import type { Context } from 'aws-lambda'
import type { Resource } from '../query/endpoints.ts'
import { InvalidQueryError } from '../query/errors.ts'
import { preflightResponse } from './cors.ts'
import { finishResponse } from './finish-response.ts'
import { type HttpRequest, isHttpEvent, readHttpRequest } from './http-request.ts'
import type { ObservedCall, Observer } from './observer.ts'
import { problemOf, problemResponse } from './problem-response.ts'
import { NotFoundError, PROBLEMS } from './problems.ts'
import type { HttpResponse } from './response.ts'
import { baseUrlOf } from './route.ts'

/** A function's input: an HTTP request, or the payload of a direct call. */
export type Call = { http: HttpRequest } | { direct: unknown }

export interface BoundaryOptions {
  endpoint?: Resource
  /** The service's base URL for callers, with no trailing slash. By default, the URL that the gateway reports. */
  publicBaseUrl?: string | undefined
  observer?: Observer | undefined
}

export interface EndpointAnswers<DirectAnswer> {
  answerHttp(request: HttpRequest, context: Context): Promise<HttpResponse>
  answerDirectly(payload: unknown, context: Context): Promise<DirectAnswer>
}

/** Accepts direct calls, and events from API Gateway (payload 2.0 and 1.0) and function URLs. Answers preflights. */
export const endpointHandler = <DirectAnswer>(
  options: BoundaryOptions,
  { answerHttp, answerDirectly }: EndpointAnswers<DirectAnswer>,
) =>
  middy<Call, HttpResponse | DirectAnswer>()
    .use(httpBoundary(options))
    .handler(async (call: Call, context: Context) => {
      if (!('http' in call)) return answerDirectly(call.direct, context)
      return call.http.method === 'OPTIONS' ? preflightResponse() : answerHttp(call.http, context)
    })

/** Creates a handler for paths that cannot be called directly: a direct call fails with `NotFoundError`. */
export const httpHandler = (
  options: BoundaryOptions,
  answerHttp: (request: HttpRequest, context: Context) => Promise<HttpResponse>,
) =>
  middy<Call, HttpResponse>()
    .use(httpBoundary(options))
    .handler(async (call: Call, context: Context) => {
      if (!('http' in call)) throw new NotFoundError()
      return answerHttp(call.http, context)
    })

/**
 * Refuses malformed HTTP events, which no gateway sends. An error in an HTTP request becomes a problem response,
 * whereas an error in a direct call fails the invocation. The observer is notified in both cases.
 */
function httpBoundary({ endpoint, publicBaseUrl, observer }: BoundaryOptions): MiddlewareObj {
  const startedAt = new WeakMap<Request, number>()
  const call = (request: Request, status: number): ObservedCall => ({
    endpoint,
    status: isHttpCall(request.event) ? status : 'direct',
    requestId: request.context.awsRequestId,
    durationMs: performance.now() - (startedAt.get(request) ?? 0),
  })
  return {
    before: request => {
      startedAt.set(request, performance.now())
      const { event } = request
      if (!isHttpEvent(event)) {
        request.event = { direct: event }
        return
      }
      const { http, problems } = readHttpRequest(event)
      request.event = { http }
      if (problems.length > 0) throw new InvalidQueryError(problems)
    },
    after: request => {
      if (!isHttpCall(request.event)) return
      request.response = finishResponse(request.response, request.event.http, request.context.awsRequestId)
    },
    onError: request => {
      const told = problemOf(request.error)
      const { status } = PROBLEMS[told.kind]
      if (status >= 500) observer?.failed(request.error, call(request, status))
      else observer?.refused(call(request, status), told.kind)
      if (!isHttpCall(request.event)) return
      const { http } = request.event
      const instance = request.context.awsRequestId
      const response = problemResponse(told, { baseUrl: baseUrlOf(http, publicBaseUrl), instance })
      request.response = finishResponse(response, http, instance)
    },
  }
}

const isHttpCall = (event: unknown): event is { http: HttpRequest } =>
  typeof event === 'object' && event !== null && 'http' in event
