/** The body of an error response (RFC 9457). */
export interface ApiProblem {
  /** The URL of a page that explains the cause and the remedy. */
  type: string
  title: string
  status: number
  detail: string
  /** The request's id. */
  instance: string
  errors?: { parameter: string; message: string }[]
}

/** The URL fragments at the end of `type` in problems that come from the service itself. */
const OWN_KINDS = [
  'invalid-query',
  'not-found',
  'method-not-allowed',
  'not-acceptable',
  'cursor-expired',
  'not-indexed-yet',
  'internal-error',
  'store-unavailable',
]
const OWN_TYPE = new RegExp(`/docs#(?:${OWN_KINDS.join('|')})$`)

/** Only the `type` shows that the service itself wrote the body, because gateways may also send RFC 9457 problems. */
export function ownProblem(body: unknown): ApiProblem | undefined {
  const { type } = (body ?? {}) as Partial<ApiProblem>
  return typeof type === 'string' && OWN_TYPE.test(type) ? (body as ApiProblem) : undefined
}

/** Thrown when the service responds with an error or with an unexpected body. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** Undefined if a gateway or another program responded instead of the service. */
  readonly problem: ApiProblem | undefined

  constructor(status: number, problem: ApiProblem | undefined, message?: string) {
    super(message ?? (problem ? `${status}: ${problem.detail}` : `The answer was ${status}`))
    this.status = status
    this.problem = problem
  }
}

/**
 * Only an error with the service's own `problem` can be permanent, because a proxy may send any status in an outage.
 */
export const isOutage = (error: unknown): error is ApiError | ConnectionError =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.problem === undefined || error.status >= SERVER_ERRORS))

const SERVER_ERRORS = 500

/** Thrown when the query is invalid, so retrying would not help. */
export class InvalidParametersError extends ApiError {
  override readonly name = 'InvalidParametersError'
  readonly errors: { parameter: string; message: string }[]

  constructor(status: number, problem: ApiProblem) {
    const errors = problem.errors ?? []
    super(status, problem, errors.map(({ parameter, message }) => `${parameter} ${message}`).join('; '))
    this.errors = errors
  }
}

/**
 * Thrown when a cursor of the change feed is too old or belongs to another table. Empty the copy, and start again with
 * `from: 'beginning'`.
 */
export class CursorExpiredError extends ApiError {
  override readonly name = 'CursorExpiredError'
}

/** Thrown when a network is still not indexed up to `minBlock` after `waitForBlockMs`. */
export class NotIndexedYetError extends ApiError {
  override readonly name = 'NotIndexedYetError'
}

/** Thrown when the service was overloaded or down at every attempt. */
export class UnavailableError extends ApiError {
  override readonly name = 'UnavailableError'
}

/** Thrown when an export cannot continue, because a later version of the service writes a CSV with another header. */
export class HeaderChangedError extends Error {
  override readonly name = 'HeaderChangedError'
}

/** Thrown when every attempt failed before a complete response arrived. `cause` is the error of the last attempt. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'

  constructor(url: string, cause: unknown) {
    // In a web page, the address of the service may be relative to the page's address.
    const { location } = globalThis as { location?: { href: string } }
    const { origin } = new URL(url, location?.href)
    super(`${origin} did not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
