import { ALLOWED_METHODS } from './cors.ts'

/** Shared by all errors of a kind. Causes and remedies are in `site/openapi/explanations.ts`. */
export interface ProblemRow {
  status: number
  title: string
  /** In addition to the common headers. */
  headers?: Partial<Record<'Allow' | 'Retry-After', string>>
}

/** Within this time, most faults of the store end. New blocks arrive every few seconds. */
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
