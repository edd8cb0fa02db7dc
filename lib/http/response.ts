import { KEPT_FOR_MINUTES } from './cache-control.ts'

/** A response whose form is valid for payload formats 2.0 and 1.0. */
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

/** The redirect is cached for as long as the document itself. */
export const redirectResponse = (location: string): HttpResponse => ({
  statusCode: 308,
  headers: { Location: location, 'Cache-Control': KEPT_FOR_MINUTES },
  body: '',
  isBase64Encoded: false,
})

export const textResponse = (
  contentType: string,
  body: string,
  headers: Record<string, string> = {},
): HttpResponse => jsonResponse(200, body, { ...headers, 'Content-Type': contentType })
