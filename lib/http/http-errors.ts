import { ServiceError } from '../query/errors.ts'

export class NotFoundError extends ServiceError {
  override readonly name = 'NotFoundError'
  readonly code = 'not-found'

  constructor() {
    super(
      'There is nothing at this path; the service has /v1/user-events/{address}, /v1/token-events, /v1/changes, /v1/status, /docs and /llms.txt',
    )
  }
}

export class MethodNotAllowedError extends ServiceError {
  override readonly name = 'MethodNotAllowedError'
  readonly code = 'method-not-allowed'

  constructor() {
    super('The service only reads: use GET or HEAD')
  }
}

/** The caller accepts no format in which the answer is available. */
export class NotAcceptableError extends ServiceError {
  override readonly name = 'NotAcceptableError'
  readonly code = 'not-acceptable'
}
