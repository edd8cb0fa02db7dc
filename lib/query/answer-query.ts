import type { EventRecord } from '../events/record.ts'
import { encodeCursor } from '../paging/cursor.ts'
import { type Budget, DEFAULT_LIMITS } from './budget.ts'
import type { EventStore } from './event-store.ts'
import { type Ledger, newLedger } from './ledger.ts'
import { parseQuery, type QueryInput } from './parse-query.ts'
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
  /** Milliseconds until the answer must be there; without one there is no hurry. */
  timeLeftMs?: () => number
  limits?: Omit<Budget, 'timeLeftMs'>
}

/** Answers one request of either endpoint: one page of event records. Throws `InvalidQueryError`. */
export async function answerQuery(input: QueryInput, options: AnswerOptions): Promise<Answer> {
  const { question, plan, queryKey, start } = parseQuery(input)
  const ledger = newLedger()
  const { timeLeftMs = () => Number.POSITIVE_INFINITY, limits = DEFAULT_LIMITS } = options
  const { records, next, isPartial } = await runQuery(plan, start, {
    store: options.store,
    budget: { ...limits, timeLeftMs },
    ledger,
  })
  return { question, records, next: next && encodeCursor(next, queryKey), isPartial, plan, ledger }
}
