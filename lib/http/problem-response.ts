import {
  InvalidQueryError,
  type ParameterProblem,
  ServiceError,
  StoreUnavailableError,
  sentenceOf,
} from '../query/errors.ts'
import { PROBLEMS, type ProblemKind } from './problems.ts'
import { type HttpResponse, jsonResponse } from './response.ts'

/** The body of every error response, in the format of RFC 9457. */
export interface Problem {
  /** The kind of problem, as a link to the documentation page. */
  type: string
  title: string
  status: number
  detail: string
  /** The request's id in the logs. */
  instance: string
  errors?: readonly ParameterProblem[]
}

interface Told extends Pick<Problem, 'detail' | 'errors'> {
  kind: ProblemKind
}

/** The only function that maps errors to problems. The response to an unknown error reveals no internal details. */
export function problemOf(error: unknown): Told {
  if (error instanceof InvalidQueryError) {
    return { kind: error.code, detail: sentencesOf(error), errors: error.problems }
  }
  if (error instanceof StoreUnavailableError) {
    return { kind: error.code, detail: 'The events cannot be read at the moment. Try again shortly.' }
  }
  if (error instanceof ServiceError && isKind(error.code)) {
    return { kind: error.code, detail: `${error.message}.` }
  }
  return {
    kind: 'internal-error',
    detail: 'The request failed because of a problem on our side, which has been logged.',
  }
}

const isKind = (code: string): code is ProblemKind => Object.hasOwn(PROBLEMS, code)

/** The maximum length of `detail`. Many clients show only `detail`, and few have space for a longer text. */
const MAX_DETAIL_LENGTH = 1_000
const SEPARATOR = '; '

/**
 * Returns the message or, if the message is too long, as many of its sentences as fit, and the number of remaining
 * problems.
 */
function sentencesOf({ problems, isMore, message }: InvalidQueryError): string {
  if (message.length <= MAX_DETAIL_LENGTH && !isMore) return message
  const shown: string[] = []
  let length = -SEPARATOR.length
  for (const sentence of problems.map(sentenceOf)) {
    length += sentence.length + SEPARATOR.length
    if (length > MAX_DETAIL_LENGTH) break
    shown.push(sentence)
  }
  const left = `${problems.length - shown.length} more in errors`
  return [...shown, isMore ? `${left}, and others that are not listed` : left].join(SEPARATOR)
}

interface ProblemContext extends Pick<Problem, 'instance'> {
  /** The service's base URL, below which the documentation is at `/docs`. */
  baseUrl: string
}

/** An error may quote the caller's input, so `<` is escaped to keep clients from parsing the input as markup. */
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
