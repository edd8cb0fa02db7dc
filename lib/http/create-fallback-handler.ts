import middy from '@middy/core'
import { baseUrlOf } from './base-url.ts'
import { preflightResponse } from './cors.ts'
import { type BoundaryOptions, type Call, httpBoundary } from './http-boundary.ts'
import { MethodNotAllowedError, NotFoundError } from './http-errors.ts'
import { isReading } from './methods.ts'
import { type HttpResponse, redirectResponse } from './response.ts'
import { matchDocument, matchRoute } from './route.ts'

/** The Lambda handler of everything that no other route takes: other methods of the endpoints, and unknown paths. */
export function createFallbackHandler(options: Omit<BoundaryOptions, 'endpoint'>) {
  return middy<Call, HttpResponse>()
    .use(httpBoundary(options))
    .handler(async (call: Call): Promise<HttpResponse> => {
      if (!('http' in call)) throw new NotFoundError()
      const { method, path, stage } = call.http
      const found = matchRoute(path) ?? matchDocument(path)
      if (!found || !isOwn(found.prefix, stage)) throw new NotFoundError()
      // API Gateway takes no route that ends with a slash, so this path has none.
      if ('document' in found && found.document === 'docs/' && isReading(method)) {
        return redirectResponse(`${baseUrlOf(call.http, options.publicBaseUrl)}/docs`)
      }
      // Where these are answered, the gateway has a route for them; here a path only ends like one that is.
      if (isReading(method)) throw new NotFoundError()
      if (method === 'OPTIONS') return preflightResponse()
      throw new MethodNotAllowedError()
    })
}

/** Whether the paths of the service begin so: otherwise a path only ends like one of the service's. */
const isOwn = (prefix: string, stage: string | undefined) =>
  stage === undefined || prefix === '' || prefix === `/${stage}`
