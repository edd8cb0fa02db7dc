import { isReading, preflightResponse } from './cors.ts'
import { type BoundaryOptions, httpHandler } from './http-boundary.ts'
import { MethodNotAllowedError, NotFoundError } from './problems.ts'
import { redirectResponse } from './response.ts'
import { baseUrlOf, matchDocument, matchRoute } from './route.ts'

/** Handles requests that match no route of the gateway, because the path is unknown or does not allow the method. */
export function createFallbackHandler(options: Omit<BoundaryOptions, 'endpoint'>) {
  return httpHandler(options, async request => {
    const { method, path, stage } = request
    const found = matchRoute(path) ?? matchDocument(path)
    if (!found || !isOwn(found.prefix, stage)) throw new NotFoundError()
    // API Gateway accepts no route that ends with a slash, so `/docs/` arrives here.
    if ('document' in found && found.document === 'docs/' && isReading(method)) {
      return redirectResponse(`${baseUrlOf(request, options.publicBaseUrl)}/docs`)
    }
    // The gateway routes GET and HEAD requests for the service's paths to other functions, so a GET or HEAD request
    // that arrives here has an unknown path, which merely ends like one of the service's paths.
    if (isReading(method)) throw new NotFoundError()
    if (method === 'OPTIONS') return preflightResponse()
    throw new MethodNotAllowedError()
  })
}

/** Whether the gateway could have added this prefix. A path with any other prefix is unknown. */
const isOwn = (prefix: string, stage: string | undefined) =>
  stage === undefined || prefix === '' || prefix === `/${stage}`
