import { CursorExpiredError } from '../query/changes/cursor-expired-error.ts'
import {
  InvalidQueryError,
  NotIndexedYetError,
  type ParameterProblem,
  StoreUnavailableError,
  sentenceOf,
} from '../query/errors.ts'
import { MethodNotAllowedError, NotAcceptableError, NotFoundError } from './http-errors.ts'
import { PROBLEMS, type ProblemKind } from './problems.ts'
import { type HttpResponse, jsonResponse } from './response.ts'

/** The body of every error response, shaped after RFC 9457. */
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

/** What is wrong with one request. */
interface Told extends Pick<Problem, 'detail' | 'errors'> {
  kind: ProblemKind
}

/** The one place where errors become HTTP: what is not known to be told says nothing of the inside. */
export function problemOf(error: unknown): Told {
  if (error instanceof InvalidQueryError) {
    return { kind: error.code, detail: sentencesOf(error), errors: error.problems }
  }
  if (error instanceof StoreUnavailableError) {
    return { kind: error.code, detail: 'The events cannot be read at the moment. Try again shortly.' }
  }
  if (
    error instanceof NotFoundError ||
    error instanceof MethodNotAllowedError ||
    error instanceof NotAcceptableError ||
    error instanceof CursorExpiredError ||
    error instanceof NotIndexedYetError
  ) {
    return { kind: error.code, detail: `${error.message}.` }
  }
  return {
    kind: 'internal-error',
    detail: 'The request failed for a reason on our side. It has been logged.',
  }
}

/** Many clients show nothing but `detail`, and few have room for more. */
const MAX_DETAIL_LENGTH = 1_000
const SEPARATOR = '; '

/** The sentences of all problems. Where they are too long, the first of them, whole, and how many more `errors` has. */
function sentencesOf({ problems, isMore, message }: InvalidQueryError): string {
  if (message.length <= MAX_DETAIL_LENGTH && !isMore) return message
  const shown: string[] = []
  let length = 0
  for (const sentence of problems.map(sentenceOf)) {
    length += sentence.length + SEPARATOR.length
    if (length > MAX_DETAIL_LENGTH) break
    shown.push(sentence)
  }
  const left = `${problems.length - shown.length} more in errors`
  return [...shown, isMore ? `${left}, which does not have all` : left].join(SEPARATOR)
}

interface ProblemContext extends Pick<Problem, 'instance'> {
  /** The address of the service, below which the documentation is. */
  baseUrl: string
}

/** An error response. `<` is escaped: what a caller sent and is told back can never be read as markup. */
export function problemResponse(
  { kind, detail, errors }: Told,
  { baseUrl, instance }: ProblemContext,
): HttpResponse {
  const { status, title, headers } = PROBLEMS[kind]
  const problem: Problem = {
    type: `${baseUrl}/docs#${kind}`,
    title,
    status,
    detail,
    instance,
    ...(errors && { errors }),
  }
  return jsonResponse(status, JSON.stringify(problem).replaceAll('<', '\\u003c'), headers)
}
