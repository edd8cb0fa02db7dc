import { ALLOWED_METHODS } from './methods.ts'
import type { HttpResponse } from './response.ts'

/** On every response: pages of any origin may read it, and these of its headers. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Allow, ETag, Link, Retry-After, Server-Timing, X-Finalized-Through, X-Indexed-Through, X-Partial, X-Request-Id, X-Total-Count, X-Total-Count-At-Least, X-Unmatchable',
}

const PREFLIGHT_MAX_AGE_SECONDS = 86_400

/** The answer to OPTIONS, with which a browser asks whether a page may send a request (a CORS preflight). */
export const preflightResponse = (): HttpResponse => ({
  statusCode: 204,
  headers: {
    Allow: ALLOWED_METHODS,
    'Access-Control-Allow-Methods': ALLOWED_METHODS,
    // In browsers `*` does not stand for Authorization.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_SECONDS),
  },
  body: '',
  isBase64Encoded: false,
})
