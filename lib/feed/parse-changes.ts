import type * as z from 'zod/mini'
import { NETWORKS } from '../events/networks.ts'
import { InvalidQueryError, type ParameterProblem } from '../query/errors.ts'
import { normaliseFilters } from '../query/normalise-filters.ts'
import { CHANGE_PARAMETERS, DEFAULT_LIMIT } from '../query/parameters.ts'
import type { QueryInput } from '../query/parse-query.ts'
import { type Report, readParameters } from '../query/read-parameters.ts'
import { decodeFeedCursor, isFeedCursor } from './feed-cursor.ts'
import type { FeedState } from './feed-state.ts'
import type { ChangeScope } from './turn.ts'

export type ChangesInput = Pick<QueryInput, 'parameters' | 'problems' | 'networks'>

export interface ParsedChanges {
  scope: ChangeScope
  /** The key of the scope. Cursors are bound to this key. */
  scopeKey: string
  start: FeedState | 'beginning' | 'now'
  limit: number
  /** Whether to report only events of final blocks. */
  isFinal: boolean
  /** The parameters whose values cannot match any event, in alphabetical order. Undefined if there are none. */
  unmatchable: readonly string[] | undefined
}

type PageValues = {
  [Name in keyof typeof CHANGE_PARAMETERS]?: z.output<(typeof CHANGE_PARAMETERS)[Name]['schema']>
}

const NO_CURSOR = 'is not a cursor of these changes: follow Link unchanged, or start again without cursor'

/** Throws `InvalidQueryError` with every problem found. */
export function parseChanges(input: ChangesInput): ParsedChanges {
  const { parameters, problems: found = [], networks: ofTable = NETWORKS } = input
  const problems: ParameterProblem[] = [...found]
  const report: Report = (parameter, message) => problems.push({ parameter, message })
  const { names, isMore, filters: given, page } = readParameters('changes', parameters, report)
  if (names.has('cursor') && names.has('from')) {
    report('cursor', 'cannot be combined with from: the cursor already determines where to continue')
  }
  const { from = 'now', limit = DEFAULT_LIMIT, cursor, finalized: isFinal = false } = page as PageValues
  const isScopeKnown = problems.every(({ parameter }) => Object.hasOwn(CHANGE_PARAMETERS, parameter))
  const { filters, unmatchable } = normaliseFilters('changes', isScopeKnown ? given : {})
  const scopeKey = keyOfScope(filters)
  const state = cursor === undefined ? from : decodeFeedCursor(cursor, scopeKey)
  const isUsable = isScopeKnown || cursor === undefined ? state !== undefined : isFeedCursor(cursor)
  if (!isUsable) report('cursor', NO_CURSOR)
  if (problems.length > 0 || state === undefined) throw new InvalidQueryError(problems, { isMore })
  const networks =
    filters === 'unmatchable' ? [] : (filters.network ?? ofTable).filter(each => ofTable.includes(each))
  return { scope: { networks, filters }, scopeKey, start: state, limit, isFinal, unmatchable }
}

/** A change to a single byte of this string would invalidate every cursor that callers hold. */
function keyOfScope(filters: ChangeScope['filters']): string {
  if (filters === 'unmatchable') return 'changes unmatchable'
  const { network, event, address, user } = filters
  return `changes ${JSON.stringify({ network, event, address, user })}`
}
