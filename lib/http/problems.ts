import { ALLOWED_METHODS } from './methods.ts'

/** What every error of a kind is answered with; its cause and remedy are in `docs/explanations.ts`. */
export interface ProblemRow {
  status: number
  title: string
  /** Beside those of every response. */
  headers?: Partial<Record<'Allow' | 'Retry-After', string>>
}

/** Most faults of the store last for no longer, and blocks come every few seconds. */
const RETRY_AFTER_SECONDS = 2

const rows = {
  'invalid-query': {
    status: 400,
    title: 'Incorrect data requested',
  },
  'not-found': {
    status: 404,
    title: 'No such resource',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    headers: { Allow: ALLOWED_METHODS },
  },
  'not-acceptable': {
    status: 406,
    title: 'No such format',
  },
  'cursor-expired': {
    status: 410,
    title: 'Cursor too old',
  },
  'not-indexed-yet': {
    status: 412,
    title: 'Not indexed yet',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
  },
  'store-unavailable': {
    status: 503,
    title: 'Temporarily unavailable',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  },
} satisfies Record<string, ProblemRow>

export type ProblemKind = keyof typeof rows

/** Every kind of error that the service answers with; its name is the `code` of the errors of that kind. */
export const PROBLEMS: Record<ProblemKind, ProblemRow> = rows
