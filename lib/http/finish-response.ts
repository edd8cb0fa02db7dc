import { NOT_KEPT } from './cache-control.ts'
import { type Coding, chooseCoding, encodeBody } from './content-coding.ts'
import { CORS_HEADERS } from './cors.ts'
import { entityTag, namesTag } from './entity-tag.ts'
import type { HttpRequest } from './http-request.ts'
import type { HttpResponse } from './response.ts'

/** Where a response does not say otherwise. */
const DEFAULT_HEADERS = {
  ...CORS_HEADERS,
  'Cache-Control': NOT_KEPT,
  // By what `preferredType` and `chooseCoding` choose; said of all responses.
  Vary: 'Accept, Accept-Encoding',
  // No browser takes the body for anything but what `Content-Type` says.
  'X-Content-Type-Options': 'nosniff',
}

/** They tell of other records than those of the page, where they are asked for. */
const TOTALS = ['X-Total-Count', 'X-Total-Count-At-Least']

/**
 * The last step of every response, errors included: it gets the headers that every response has and, where it is a
 * success, a tag. Where the caller has it already it becomes a 304; otherwise it is coded as the caller accepts, and
 * for HEAD reduced to its headers.
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
  // No records are a page like others; in one of the formats, its body is empty.
  if (body === '' && statusCode !== 200) return { ...response, headers }
  const coding = chooseCoding(body, asked['accept-encoding'])
  if (statusCode !== 200) return encoded({ ...response, headers }, { coding, method })
  const { Link, 'X-Partial': partial, 'Content-Type': type } = response.headers
  const totals = TOTALS.map(name => response.headers[name])
  const tag = entityTag({ body, coding, metadata: [type, Link, partial, ...totals] })
  const tagged = { ...response, headers: { ...headers, ETag: tag } }
  return namesTag(asked['if-none-match'], tag) ? notModified(tagged) : encoded(tagged, { coding, method })
}

/** What was answered to somebody's credentials, no cache gives to anybody else (RFC 9111, 3.5). */
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
  // The gateway sees no body, and would call that its length.
  return { ...response, headers: { ...headers, 'Content-Length': String(byteLength) }, body: '' }
}

/** The caller's copy is good; the headers that tell of it are sent again (RFC 9110, 15.4.5). */
function notModified({ headers }: HttpResponse): HttpResponse {
  const { 'Content-Type': _, ...kept } = headers
  return { statusCode: 304, headers: kept, body: '', isBase64Encoded: false }
}
