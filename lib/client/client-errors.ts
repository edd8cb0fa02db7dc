/** The body of an error answer (RFC 9457). */
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

/** The last part of the `type` of each of the service's own problems. */
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

/**
 * Returns the body of an error answer if the service itself wrote it. Gateways and other services may send problems of
 * RFC 9457 too, so only the `type` shows whose problem it is.
 */
export function ownProblem(body: unknown): ApiProblem | undefined {
  const { type } = (body ?? {}) as Partial<ApiProblem>
  return typeof type === 'string' && OWN_TYPE.test(type) ? (body as ApiProblem) : undefined
}

/** The service answered with an error, or with an unexpected body. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** Undefined if the answer came from a gateway or another program instead of the service. */
  readonly problem: ApiProblem | undefined

  constructor(status: number, problem: ApiProblem | undefined, message?: string) {
    super(message ?? (problem ? `${status}: ${problem.detail}` : `The answer was ${status}`))
    this.status = status
    this.problem = problem
  }
}

/**
 * Whether an error may pass, so that the same request may succeed later. Only a refusal by the service itself does not
 * pass, because a gateway, a firewall or a proxy may answer anything while the service is replaced or unreachable.
 */
export const isOutage = (error: unknown): error is ApiError | ConnectionError =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.problem === undefined || error.status >= SERVER_ERRORS))

const SERVER_ERRORS = 500

/** The query is invalid. A retry does not help. */
export class InvalidParametersError extends ApiError {
  override readonly name = 'InvalidParametersError'
  /** Every parameter that is wrong. */
  readonly errors: { parameter: string; message: string }[]

  constructor(status: number, problem: ApiProblem) {
    const errors = problem.errors ?? []
    super(status, problem, errors.map(({ parameter, message }) => `${parameter} ${message}`).join('; '))
    this.errors = errors
  }
}

/** The cursor of the feed of changes is too old. Empty the copy, and begin again with `from: 'beginning'`. */
export class CursorExpiredError extends ApiError {
  override readonly name = 'CursorExpiredError'
}

/** A network is not indexed up to `minBlock`, even after a wait of `waitForBlockMs`. */
export class NotIndexedYetError extends ApiError {
  override readonly name = 'NotIndexedYetError'
}

/** The service was overloaded or down at every attempt. */
export class UnavailableError extends ApiError {
  override readonly name = 'UnavailableError'
}

/** No attempt got a complete answer. `cause` is the error of the last attempt. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'

  constructor(url: string, cause: unknown) {
    super(
      `No answer from ${new URL(url).origin}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}
