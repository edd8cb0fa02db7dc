import type { EventRecord } from '../events/record.ts'
import { beforeDeadline } from './before-deadline.ts'
import { type Budget, DEFAULT_LIMITS } from './budget.ts'
import { encodeCursor } from './cursor.ts'
import type { EventStore } from './event-store.ts'
import { type Ledger, newLedger } from './ledger.ts'
import { type ParsedQuery, parseQuery, type QueryInput } from './parse-query.ts'
import type { Plan } from './plan-query.ts'
import type { Question } from './question.ts'
import { runQuery } from './run-query.ts'

export interface Answer {
  question: Question
  records: EventRecord[]
  /** The cursor of the next page; undefined at the end. */
  next: string | undefined
  isPartial: boolean
  plan: Plan
  ledger: Ledger
}

export interface AnswerOptions {
  store: EventStore
  /** Milliseconds until the records must be there; without one there is no hurry. */
  timeLeftMs?: () => number
  limits?: Omit<Budget, 'timeLeftMs'>
}

/**
 * Answers one request of either endpoint: one page of event records, or `StoreUnavailableError` where the
 * store gives none in time. Throws `InvalidQueryError`, `CorruptRowError`.
 */
export const answerQuery = async (input: QueryInput, options: AnswerOptions): Promise<Answer> =>
  answerParsed(parseQuery(input), options)

/** The same for a request that has been read already. Throws `StoreUnavailableError`, `CorruptRowError`. */
export async function answerParsed(parsed: ParsedQuery, options: AnswerOptions): Promise<Answer> {
  const { question, plan, queryKey, start } = parsed
  const ledger = newLedger()
  const { timeLeftMs = () => Number.POSITIVE_INFINITY, limits = DEFAULT_LIMITS } = options
  const budget = { ...limits, timeLeftMs }
  const { records, next, isPartial } = await beforeDeadline(timeLeftMs(), signal =>
    runQuery(plan, start, { store: options.store, budget, ledger, signal }),
  )
  return { question, records, next: next && encodeCursor(next, queryKey), isPartial, plan, ledger }
}
