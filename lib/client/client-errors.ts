/** The body of an error answer (RFC 9457). */
export interface ApiProblem {
  /** Where cause and remedy are explained. */
  type: string
  title: string
  status: number
  detail: string
  /** The request's id. */
  instance: string
  errors?: { parameter: string; message: string }[]
}

/** The service answered, and not with events. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** Undefined where something else than the service answered, such as a gateway. */
  readonly problem: ApiProblem | undefined

  constructor(status: number, problem: ApiProblem | undefined, message?: string) {
    super(message ?? (problem ? `${status}: ${problem.detail}` : `The answer was ${status}`))
    this.status = status
    this.problem = problem
  }
}

/** The query is wrong; asking again is of no use. */
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

/** The cursor of the feed of changes is too old: empty the copy, and begin anew with `from: 'beginning'`. */
export class CursorExpiredError extends ApiError {
  override readonly name = 'CursorExpiredError'
}

/** A network is not indexed as far as `minBlock` asks for, and was not in all the time that was to be waited. */
export class NotIndexedYetError extends ApiError {
  override readonly name = 'NotIndexedYetError'
}

/** The service is overloaded or down, and was so at every attempt. */
export class UnavailableError extends ApiError {
  override readonly name = 'UnavailableError'
}

/** No answer came, or none to its end, at any attempt; `cause` says why. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'

  constructor(url: string, cause: unknown) {
    super(
      `No answer from ${new URL(url).origin}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}
