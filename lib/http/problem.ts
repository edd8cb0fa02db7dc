import { InvalidQueryError, type ParameterProblem, StoreUnavailableError } from '../query/errors.ts'
import { MethodNotAllowedError, NotFoundError } from './http-errors.ts'

/** The body of every error answer, shaped after RFC 9457. */
export interface Problem {
  /** The kind of problem, as a place on the documentation page. */
  type: string
  title: string
  status: number
  detail: string
  /** The request's id, as the logs have it. */
  instance: string
  /** For an invalid query: everything that is wrong with it. */
  errors?: readonly ParameterProblem[]
}

export type ProblemKind = keyof typeof PROBLEMS

export const PROBLEMS = {
  'invalid-query': { status: 400, title: 'Incorrect data requested' },
  'not-found': { status: 404, title: 'No such resource' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'internal-error': { status: 500, title: 'Internal error' },
  'store-unavailable': { status: 503, title: 'Temporarily unavailable' },
} as const

function countOf({ problems, isMore }: InvalidQueryError): string {
  const { size } = new Set(problems.map(({ parameter }) => parameter))
  if (isMore) return `More than ${size} parameters are not valid; errors names ${size} of them.`
  if (size === 1) return 'One parameter is not valid; errors names it.'
  return `${size} parameters are not valid; errors names each.`
}

/** The one place where errors become HTTP: what is not known to be told says nothing of the inside. */
export function problemOf(error: unknown): Pick<Problem, 'detail' | 'errors'> & { kind: ProblemKind } {
  if (error instanceof InvalidQueryError) {
    return { kind: error.code, detail: countOf(error), errors: error.problems }
  }
  if (error instanceof StoreUnavailableError) {
    return { kind: error.code, detail: 'The events cannot be read at the moment. Try again shortly.' }
  }
  if (error instanceof NotFoundError || error instanceof MethodNotAllowedError) {
    return { kind: error.code, detail: `${error.message}.` }
  }
  return {
    kind: 'internal-error',
    detail: 'The request failed for a reason on our side. It has been logged.',
  }
}
