import { chooseCoding } from './choose-coding.ts'
import { encodeBody } from './encode-body.ts'
import { entityTag, namesTag } from './entity-tag.ts'
import type { HttpRequest } from './http-request.ts'
import type { HttpResponse } from './response.ts'

/**
 * What every answer goes through last, whatever it says: it gets its request's id and, where it is a
 * success, a tag; it is left out where the caller has it already, coded as the caller accepts, and
 * reduced to its headers for HEAD. Nothing is to be cached that does not say for how long.
 */
export function finishResponse(
  response: HttpResponse,
  { method, headers: asked }: HttpRequest,
  requestId: string,
): HttpResponse {
  const { statusCode, body } = response
  const headers = {
    'Cache-Control': 'no-store',
    Vary: 'Accept-Encoding',
    ...response.headers,
    'X-Request-Id': requestId,
  }
  if (body === '') return { ...response, headers }
  const coding = chooseCoding(body, asked['accept-encoding'])
  if (statusCode !== 200) return encoded({ ...response, headers }, { coding, method })
  const { Link, 'X-Partial': partial } = response.headers
  const tag = entityTag({ body, coding, metadata: [Link, partial] })
  const tagged = { ...response, headers: { ...headers, ETag: tag } }
  return namesTag(asked['if-none-match'], tag) ? unchanged(tagged) : encoded(tagged, { coding, method })
}

function encoded(
  response: HttpResponse,
  { coding, method }: { coding: Parameters<typeof encodeBody>[1]; method: string },
): HttpResponse {
  const { byteLength, coding: applied, ...coded } = encodeBody(response.body, coding)
  const headers = { ...response.headers, ...(applied !== 'identity' && { 'Content-Encoding': applied }) }
  if (method !== 'HEAD') return { ...response, ...coded, headers }
  // The gateway sees no body, and would call that its length.
  return { ...response, headers: { ...headers, 'Content-Length': String(byteLength) }, body: '' }
}

/** The caller's copy is good; the headers that tell of it are sent again (RFC 9110, 15.4.5). */
function unchanged({ headers }: HttpResponse): HttpResponse {
  const { 'Content-Type': _, ...kept } = headers
  return { statusCode: 304, headers: kept, body: '', isBase64Encoded: false }
}
