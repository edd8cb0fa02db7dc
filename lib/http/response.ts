import { PROBLEMS, type Problem, type ProblemKind } from './problem.ts'

/** What a function answers to an HTTP request, in either payload format. */
export interface HttpResponse {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded: boolean
}

const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

/** On every answer: readable by pages of any origin, and never taken for anything but what they say they are. */
const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Allow, ETag, Link, Retry-After, Server-Timing, X-Indexed-Through, X-Partial, X-Request-Id',
  'X-Content-Type-Options': 'nosniff',
}

/** After a fault of the store; most last for no longer. */
const RETRY_AFTER_SECONDS = 2

export const jsonResponse = (
  statusCode: number,
  body: string,
  headers: Record<string, string> = {},
): HttpResponse => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...COMMON_HEADERS, ...headers },
  body,
  isBase64Encoded: false,
})

/** A document of any type. */
export const textResponse = (
  contentType: string,
  body: string,
  headers: Record<string, string> = {},
): HttpResponse => jsonResponse(200, body, { ...headers, 'Content-Type': contentType })

interface ProblemDetails extends Pick<Problem, 'detail' | 'instance' | 'errors'> {
  kind: ProblemKind
  baseUrl: string
}

/** An error answer. `<` is escaped: what a caller sent and is told back can never be read as markup. */
export function problemResponse({ kind, baseUrl, ...rest }: ProblemDetails): HttpResponse {
  const { status, title } = PROBLEMS[kind]
  const { detail, instance, errors } = rest
  const problem: Problem = {
    type: `${baseUrl}/docs#${kind}`,
    title,
    status,
    detail,
    instance,
    ...(errors && { errors }),
  }
  return jsonResponse(status, JSON.stringify(problem).replaceAll('<', '\\u003c'), {
    ...(kind === 'method-not-allowed' && { Allow: ALLOWED_METHODS }),
    ...(kind === 'store-unavailable' && { 'Retry-After': String(RETRY_AFTER_SECONDS) }),
  })
}

/** The answer to a browser that asks whether it may (a CORS preflight). */
export const optionsResponse = (): HttpResponse => ({
  statusCode: 204,
  headers: {
    ...COMMON_HEADERS,
    Allow: ALLOWED_METHODS,
    'Access-Control-Allow-Methods': ALLOWED_METHODS,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  },
  body: '',
  isBase64Encoded: false,
})
