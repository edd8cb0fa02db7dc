import { KEPT_FOR_MINUTES } from './cache-control.ts'
import { type HttpResponse, textResponse } from './response.ts'

/** A page for people, which may load what this service serves and ask only it. */
export const htmlResponse = (html: string, baseUrl: string): HttpResponse =>
  textResponse('text/html; charset=utf-8', html, {
    'Cache-Control': KEPT_FOR_MINUTES,
    'Content-Security-Policy': securityPolicy(baseUrl),
    'Referrer-Policy': 'no-referrer',
  })

/** Everything comes from here, and requests go nowhere else. Swagger UI has its icons as data URLs. */
const securityPolicy = (baseUrl: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", URL.parse(baseUrl)?.origin ?? ''].join(' ').trimEnd(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
