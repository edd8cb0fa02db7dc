import { ServiceError } from '../query/errors.ts'
import { ALLOWED_METHODS } from './cors.ts'

/** What all errors of a kind share, except their causes and remedies, which are in `site/openapi/explanations.ts`. */
export interface ProblemRow {
  status: number
  title: string
  /** The headers that are sent in addition to the common headers. */
  headers?: Partial<Record<'Allow' | 'Retry-After', string>>
}

/** Two seconds, because most faults of the store end within this time, and new blocks arrive every few seconds. */
const RETRY_SOON = { 'Retry-After': '2' }

const rows = {
  'invalid-query': { status: 400, title: 'Incorrect data requested' },
  'not-found': { status: 404, title: 'No such resource' },
  'method-not-allowed': { status: 405, title: 'Method not allowed', headers: { Allow: ALLOWED_METHODS } },
  'not-acceptable': { status: 406, title: 'No such format' },
  'cursor-expired': { status: 410, title: 'Cursor too old' },
  'not-indexed-yet': { status: 412, title: 'Not indexed yet', headers: RETRY_SOON },
  'internal-error': { status: 500, title: 'Internal error' },
  'store-unavailable': { status: 503, title: 'Temporarily unavailable', headers: RETRY_SOON },
} satisfies Record<string, ProblemRow>

export type ProblemKind = keyof typeof rows

/** Each key is the `code` of the errors of this kind. */
export const PROBLEMS: Record<ProblemKind, ProblemRow> = rows

export class NotFoundError extends ServiceError {
  override readonly name = 'NotFoundError'
  readonly code = 'not-found'

  constructor() {
    super(
      'There is nothing at this path. The service has /v1/user-events/{address}, /v1/token-events, /v1/changes, /v1/status, /docs and /llms.txt',
    )
  }
}

export class MethodNotAllowedError extends ServiceError {
  override readonly name = 'MethodNotAllowedError'
  readonly code = 'method-not-allowed'

  constructor() {
    super('The service is read-only: use GET or HEAD')
  }
}

/** The caller accepts no format in which the answer is available. */
export class NotAcceptableError extends ServiceError {
  override readonly name = 'NotAcceptableError'
  readonly code = 'not-acceptable'
}
