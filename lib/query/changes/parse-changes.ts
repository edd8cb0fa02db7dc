import type * as z from 'zod/mini'
import { NETWORKS } from '../../events/networks.ts'
import { InvalidQueryError, type ParameterProblem } from '../errors.ts'
import { type CHANGE_PARAMETERS, DEFAULT_LIMIT } from '../parameters.ts'
import { type GivenParameters, normaliseFilters, type Report, readParameters } from '../read-parameters.ts'
import type { ChangeScope } from './change.ts'
import { decodeFeedCursor, isFeedCursor } from './feed-cursor.ts'
import type { FeedState } from './feed-state.ts'

export interface ChangesInput {
  parameters: GivenParameters
  /** What was found wrong before the parameters could be read. */
  problems?: readonly ParameterProblem[]
}

export interface ParsedChanges {
  scope: ChangeScope
  /** Names the scope; cursors are bound to it. */
  scopeKey: string
  /** Where to go on. */
  start: FeedState | 'beginning' | 'now'
  limit: number
  /** The parameters whose value no event can have, in alphabetical order; undefined where there are none. */
  unmatchable: readonly string[] | undefined
}

/** The values that were given, each as its schema reads it. */
type PageValues = {
  [Name in keyof typeof CHANGE_PARAMETERS]?: z.output<(typeof CHANGE_PARAMETERS)[Name]['schema']>
}

const NO_CURSOR =
  'is not a cursor of these changes: use the address in Link as it is, or begin anew without cursor'

/** Reads the parameters of a turn. Throws `InvalidQueryError` with every problem there is. */
export function parseChanges({ parameters, problems: found = [] }: ChangesInput): ParsedChanges {
  const problems: ParameterProblem[] = [...found]
  const report: Report = (parameter, message) => problems.push({ parameter, message })
  const { names, isMore, filters: given, page } = readParameters('changes', parameters, report)
  if (names.has('cursor') && names.has('from')) {
    report('cursor', 'cannot be combined with from: it already says where to go on')
  }
  const { from = 'now', limit = DEFAULT_LIMIT, cursor } = page as PageValues
  const isScopeKnown = problems.every(({ parameter }) => ['from', 'limit', 'cursor'].includes(parameter))
  const { filters, unmatchable } = normaliseFilters('changes', isScopeKnown ? given : {})
  const scopeKey = keyOfScope(filters)
  const state = cursor === undefined ? from : decodeFeedCursor(cursor, scopeKey)
  const isUsable = isScopeKnown || cursor === undefined ? state !== undefined : isFeedCursor(cursor)
  if (!isUsable) report('cursor', NO_CURSOR)
  if (problems.length > 0 || state === undefined) throw new InvalidQueryError(problems, { isMore })
  const networks = filters === 'unmatchable' ? [] : (filters.network ?? NETWORKS)
  return { scope: { networks, filters }, scopeKey, start: state, limit, unmatchable }
}

/** Cursors are bound to it, so a change of a byte refuses all that callers hold. */
function keyOfScope(filters: ChangeScope['filters']): string {
  if (filters === 'unmatchable') return 'changes unmatchable'
  const { network, event, address, user } = filters
  return `changes ${JSON.stringify({ network, event, address, user })}`
}
