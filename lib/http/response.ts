import { KEPT_FOR_MINUTES } from './cache-control.ts'

/** What a function answers to an HTTP request, in either payload format. */
export interface HttpResponse {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded: boolean
}

export const jsonResponse = (
  statusCode: number,
  body: string,
  headers: Record<string, string> = {},
): HttpResponse => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
  isBase64Encoded: false,
})

/** Leads to where a document stands; for as long as the documents themselves are kept. */
export const redirectResponse = (location: string): HttpResponse => ({
  statusCode: 308,
  headers: { Location: location, 'Cache-Control': KEPT_FOR_MINUTES },
  body: '',
  isBase64Encoded: false,
})

/** A document of any type. */
export const textResponse = (
  contentType: string,
  body: string,
  headers: Record<string, string> = {},
): HttpResponse => jsonResponse(200, body, { ...headers, 'Content-Type': contentType })
