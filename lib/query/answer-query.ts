import type { EventRecord } from '../events/record.ts'
import { beforeDeadline } from './before-deadline.ts'
import { type Budget, DEFAULT_LIMITS } from './budget.ts'
import { encodeCursor } from './cursor.ts'
import type { EventStore } from './event-store.ts'
import { type ParsedQuery, parseQuery, type QueryInput } from './parse-query.ts'
import type { Plan } from './plan-query.ts'
import type { Query } from './query.ts'
import { readPage } from './read-page.ts'
import { noCost, type RequestCost } from './request-cost.ts'

export interface Answer {
  query: Query
  records: EventRecord[]
  /** The cursor of the next page; undefined at the end. */
  next: string | undefined
  isPartial: boolean
  plan: Plan
  cost: RequestCost
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
  const { query, plan, queryKey, start } = parsed
  const cost = noCost()
  const { timeLeftMs = () => Number.POSITIVE_INFINITY, limits = DEFAULT_LIMITS } = options
  const budget = { ...limits, timeLeftMs }
  const { records, next, isPartial } = await beforeDeadline(timeLeftMs(), signal =>
    readPage(plan, start, { store: options.store, budget, cost, signal }),
  )
  return { query, records, next: next && encodeCursor(next, queryKey), isPartial, plan, cost }
}
