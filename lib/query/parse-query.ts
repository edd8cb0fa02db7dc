import type * as z from 'zod/mini'
import type { Network } from '../events/networks.ts'
import { type CursorState, decodeCursor, type FinalBlocks, isCursor, keyOfQuery } from './cursor.ts'
import type { Endpoint } from './endpoints.ts'
import { InvalidQueryError, type ParameterProblem } from './errors.ts'
import { USER_IN_PATH } from './filters.ts'
import { type MinBlock, type MinBlocks, minBlockProblems } from './min-block/min-block.ts'
import { normaliseFilters } from './normalise-filters.ts'
import { DEFAULT_LIMIT, type FormatName, type PAGE_PARAMETERS, type PageParameter } from './parameters.ts'
import { type Plan, planQuery, withinNetworks } from './plan-query.ts'
import type { Position } from './position.ts'
import type { Direction, Order, PageStart, Query } from './query.ts'
import {
  type GivenFilters,
  type GivenParameters,
  messages,
  type Report,
  readParameters,
} from './read-parameters.ts'

export interface QueryInput {
  endpoint: Endpoint
  /** Problems found before the parameters were read. */
  problems?: readonly ParameterProblem[]
  /** The user's address, for `user-events`. */
  user?: string
  parameters: GivenParameters
  networks?: readonly Network[] | undefined
}

export interface ParsedQuery {
  query: Query
  plan: Plan
  /** The table's networks, or undefined if the table has all networks. */
  networks: readonly Network[] | undefined
  /** Cursors are bound to this key. */
  queryKey: string
  start: PageStart
  /** True if the request has no cursor. The page then begins `skip` records after the start of the answer. */
  isFromStart: boolean
  /** The final blocks in the request's cursor. If the cached final blocks are lower, the cache is stale. */
  finalBefore: FinalBlocks
  isCounted: boolean
  format: FormatName | undefined
  /** The parameters whose values no event can have, in alphabetical order. Undefined if there are none. */
  unmatchable: readonly string[] | undefined
  minBlocks: MinBlocks
}

type PageValues = {
  [Name in Exclude<PageParameter, 'minBlock'>]?: z.output<(typeof PAGE_PARAMETERS)[Name]['schema']>
} & { minBlock?: MinBlock[] }

interface Values {
  filters: GivenFilters
  page: PageValues
  /** The requested direction of the sort by block number. */
  direction: Direction | undefined
  networks: readonly Network[] | undefined
}

/** Throws `InvalidQueryError` with every problem found. */
export function parseQuery(input: QueryInput): ParsedQuery {
  const { endpoint, user, parameters, networks } = input
  const problems: ParameterProblem[] = [...(input.problems ?? [])]
  const report: Report = (parameter, message) => problems.push({ parameter, message })
  const isUserMissing = problems.some(({ parameter }) => parameter === 'address')
  const ofPath = endpoint === 'user-events' && !isUserMissing ? readUser(user ?? '', report) : {}
  const { names, isMore, direction, ...values } = readParameters(endpoint, parameters, report)
  const page = values.page as PageValues
  if (names.has('cursor') && names.has('skip')) {
    report('cursor', 'cannot be combined with skip: the cursor already determines where to continue')
  }
  const isNetworkKnown = problems.every(({ parameter }) => parameter !== 'network')
  const asked = isNetworkKnown ? values.filters.network : undefined
  for (const problem of minBlockProblems(page.minBlock ?? [], asked)) report('minBlock', problem)
  const isQueryKnown = problems.every(({ parameter }) => PAGE_ONLY.has(parameter))
  const filters = { ...ofPath, ...values.filters }
  const parsed = isQueryKnown ? interpret(endpoint, { filters, page, direction, networks }) : undefined
  const { cursor } = page
  if (cursor !== undefined && !(parsed ? parsed.start : isCursor(cursor))) report('cursor', NO_CURSOR)
  if (problems.length > 0 || !parsed?.start) throw new InvalidQueryError(problems, { isMore })
  return { ...parsed, start: parsed.start }
}

/** Parameters that are not part of the query. If only these have problems, the query can still be interpreted. */
const PAGE_ONLY = new Set<string>([
  'skip',
  'limit',
  'cursor',
  'count',
  'format',
  'minBlock',
] satisfies PageParameter[])

const NO_CURSOR = 'is not a cursor of this query: follow Link unchanged, or start again without cursor'

/** Reports problems under `address`, the name of the path parameter. */
function readUser(text: string, report: Report): GivenFilters {
  const result = USER_IN_PATH.safeParse(text)
  for (const message of messages(result)) report('address', message)
  return result.success ? { user: [result.data] } : {}
}

/** `start` is undefined if the cursor does not belong to this query. */
function interpret(endpoint: Endpoint, { filters, page, direction, networks }: Values) {
  // Lists every page parameter; if a parameter is missing, `others satisfies …` does not compile.
  const { skip = 0, limit = DEFAULT_LIMIT, cursor, createdAt, count = false, ...further } = page
  const { format, minBlock = [], ...others } = further
  others satisfies Record<string, never>
  const minBlocks = new Map(minBlock.map(({ network, blockNumber }) => [network, blockNumber]))
  const { filters: normalised, unmatchable } = normaliseFilters(endpoint, filters)
  const order = orderOf(createdAt, direction)
  // Cursors are bound to the requested filters, regardless of the table's networks.
  const queryKey = keyOfQuery(endpoint, { filters: normalised, order })
  const isRestricted = networks && normalised !== 'unmatchable'
  const query: Query = { filters: isRestricted ? withinNetworks(normalised, networks) : normalised, order }
  const plan = planQuery(query, { exact: minBlocks, networks })
  const state: CursorState | undefined =
    cursor === undefined ? { from: undefined, skip } : decodeCursor(cursor, queryKey)
  const { from, finalThrough: finalBefore = {} } = state ?? {}
  const isUsable = state && (from === undefined || fitsOrder(from, order))
  return {
    query,
    plan,
    networks,
    queryKey,
    start: isUsable ? { from, skip: state.skip, limit } : undefined,
    isFromStart: cursor === undefined,
    finalBefore,
    isCounted: count,
    format,
    unmatchable,
    minBlocks,
  }
}

function orderOf(createdAt: Direction | undefined, direction: Direction | undefined): Order {
  if (createdAt === undefined && direction !== undefined) return { by: 'block', direction }
  const byTime = createdAt ?? 'desc'
  return { by: 'time', direction: byTime, ties: direction ?? byTime }
}

/**
 * Whether a query of this order can continue from the position. The answer depends only on the query, so a cursor stays
 * valid if the events move to a table with a different set of networks.
 */
function fitsOrder(position: Position, order: Order): boolean {
  switch (position.at) {
    case 'networks':
      return order.by === 'block'
    case 'second':
    case 'run':
      return order.by === 'time' && order.ties !== order.direction
    case 'place':
      return true
  }
}
