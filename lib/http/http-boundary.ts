import type { MiddlewareObj, Request } from '@middy/core'
import type { Resource } from '../query/endpoint.ts'
import { InvalidQueryError } from '../query/errors.ts'
import { baseUrlOf } from './base-url.ts'
import { finishResponse } from './finish-response.ts'
import { type HttpRequest, isHttpEvent, readHttpRequest } from './http-request.ts'
import type { Observer } from './observer.ts'
import { problemOf, problemResponse } from './problem-response.ts'
import { PROBLEMS } from './problems.ts'

/** How a function was called: by an HTTP request, or directly with a payload. */
export type Call = { http: HttpRequest } | { direct: unknown }

export interface BoundaryOptions {
  endpoint?: Resource
  /** The address that callers use, without a trailing slash; by default what the gateway reports. */
  publicBaseUrl?: string | undefined
  observer?: Observer | undefined
}

/**
 * The way in and out of a function, as middleware: reads the event into a `Call`, or refuses one that no gateway
 * sends; turns errors of HTTP requests into problem answers (those of direct calls fail the invocation), and tells
 * the observer.
 */
export function httpBoundary({ endpoint, publicBaseUrl, observer }: BoundaryOptions): MiddlewareObj {
  const startedAt = new WeakMap<Request, number>()
  const call = (request: Request, status: number | 'direct') => ({
    endpoint,
    status,
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
      const isHttp = isHttpCall(request.event)
      if (status >= 500) observer?.failed(request.error, call(request, isHttp ? status : 'direct'))
      else observer?.refused(call(request, isHttp ? status : 'direct'), told.kind)
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
