import type { HttpResponse } from './response.ts'
import { EXPOSED_HEADERS } from './response-headers.ts'

/** Every path allows these methods. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * The CORS headers of every response, which let web pages from any origin read the response and the exposed headers.
 */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
}

const PREFLIGHT_MAX_AGE_SECONDS = 86_400

export const preflightResponse = (): HttpResponse => ({
  statusCode: 204,
  headers: {
    Allow: ALLOWED_METHODS,
    'Access-Control-Allow-Methods': ALLOWED_METHODS,
    // `Authorization` must be named, because browsers do not count it as part of `*`.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_SECONDS),
  },
  body: '',
  isBase64Encoded: false,
})
