import { NOT_KEPT } from './cache-control.ts'
import { type Coding, chooseCoding, encodeBody } from './content-coding.ts'
import { CORS_HEADERS } from './cors.ts'
import { entityTag, namesTag, notModified } from './entity-tag.ts'
import type { HttpRequest } from './http-request.ts'
import type { HttpResponse } from './response.ts'

/** Default headers, over which a response's own headers take precedence. */
const DEFAULT_HEADERS = {
  ...CORS_HEADERS,
  'Cache-Control': NOT_KEPT,
  // Names the request headers on which `preferredType` and `chooseCoding` depend, and is the same in all responses.
  Vary: 'Accept, Accept-Encoding',
  // Browsers must use the type in `Content-Type` instead of guessing a type.
  'X-Content-Type-Options': 'nosniff',
}

/** These headers can change although the body stays the same, so they are part of the entity tag. */
const TOTALS = ['X-Total-Count', 'X-Total-Count-At-Least']

/**
 * The last step of every response, errors included: adds the default headers, encodes the body, and omits it for HEAD.
 * A 200 also gets an entity tag, or becomes a 304.
 */
export function finishResponse(
  response: HttpResponse,
  { method, headers: asked }: HttpRequest,
  requestId: string,
): HttpResponse {
  const { statusCode, body } = response
  const headers = {
    ...DEFAULT_HEADERS,
    ...response.headers,
    ...keptFor(asked, response.headers['Cache-Control']),
    'X-Request-Id': requestId,
  }
  // A 200 with an empty body still gets an entity tag, because the body of an empty NDJSON page is empty.
  if (body === '' && statusCode !== 200) return { ...response, headers }
  const coding = chooseCoding(body, asked['accept-encoding'])
  if (statusCode !== 200) return encoded({ ...response, headers }, { coding, method })
  const { Link, 'X-Partial': partial, 'Content-Type': type } = response.headers
  const totals = TOTALS.map(name => response.headers[name])
  const tag = entityTag({ body, coding, metadata: [type, Link, partial, ...totals] })
  const tagged = { ...response, headers: { ...headers, ETag: tag } }
  return namesTag(asked['if-none-match'], tag) ? notModified(tagged) : encoded(tagged, { coding, method })
}

/**
 * Makes the answer to a request with credentials private, so that no shared cache returns this answer to another caller
 * (RFC 9111, 3.5).
 */
const keptFor = ({ authorization }: HttpRequest['headers'], cacheControl: string | undefined) =>
  authorization !== undefined &&
  cacheControl !== undefined && { 'Cache-Control': cacheControl.replace('public', 'private') }

function encoded(
  response: HttpResponse,
  { coding, method }: { coding: Coding; method: string },
): HttpResponse {
  const { byteLength, coding: applied, ...coded } = encodeBody(response.body, coding)
  const headers = { ...response.headers, ...(applied !== 'identity' && { 'Content-Encoding': applied }) }
  if (method !== 'HEAD') return { ...response, ...coded, headers }
  // Without this header, the gateway would set `Content-Length` to the length of the empty body.
  return { ...response, headers: { ...headers, 'Content-Length': String(byteLength) }, body: '' }
}
