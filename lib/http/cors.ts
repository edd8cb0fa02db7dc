import type { HttpResponse } from './response.ts'

/** The methods of every path, as `Allow` lists them. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

/** Whether a method reads the resource at a path. OPTIONS does not. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The headers of every response. Pages of any origin may read the response, and the headers in the list below. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Allow, ETag, Link, Retry-After, Server-Timing, X-Audited-Through, X-Finalized-Through, X-Indexed-Through, X-Partial, X-Request-Id, X-Total-Count, X-Total-Count-At-Least, X-Unmatchable',
}

const PREFLIGHT_MAX_AGE_SECONDS = 86_400

/** The answer to OPTIONS. A browser sends OPTIONS to ask whether a page may send a request (a CORS preflight). */
export const preflightResponse = (): HttpResponse => ({
  statusCode: 204,
  headers: {
    Allow: ALLOWED_METHODS,
    'Access-Control-Allow-Methods': ALLOWED_METHODS,
    // For browsers, `*` does not include the header `Authorization`.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_SECONDS),
  },
  body: '',
  isBase64Encoded: false,
})
