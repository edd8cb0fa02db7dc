import type * as z from 'zod/mini'
import { type CursorState, decodeCursor, type FinalBlocks, isCursor } from './cursor.ts'
import type { Endpoint } from './endpoint.ts'
import { InvalidQueryError, type ParameterProblem } from './errors.ts'
import { USER_IN_PATH } from './filters.ts'
import { type MinBlock, type MinBlocks, minBlockProblems } from './min-block/min-block.ts'
import type { PageStart } from './page.ts'
import { DEFAULT_LIMIT, type FormatName, type PAGE_PARAMETERS, type PageParameter } from './parameters.ts'
import { type Plan, planQuery } from './plan-query.ts'
import { fitsPlan } from './position.ts'
import type { Direction, Order, Query } from './query.ts'
import { keyOfQuery } from './query-key.ts'
import {
  type GivenFilters,
  type GivenParameters,
  messages,
  normaliseFilters,
  type Report,
  readParameters,
} from './read-parameters.ts'

export interface QueryInput {
  endpoint: Endpoint
  /** What was found wrong before the parameters could be read. */
  problems?: readonly ParameterProblem[]
  /** The user's address, for `user-events`. */
  user?: string
  parameters: GivenParameters
}

export interface ParsedQuery {
  query: Query
  plan: Plan
  /** Names the query; cursors are bound to it. */
  queryKey: string
  start: PageStart
  /** Whether the page is to begin where the answer does, but for `skip`. */
  isFromStart: boolean
  /** Up to which blocks networks were final at an earlier page; what is less is not known of them any more. */
  finalBefore: FinalBlocks
  /** Whether it is asked how many records match. */
  isCounted: boolean
  /** How the page is to be written, where the request says so. */
  format: FormatName | undefined
  /** The parameters whose value no event can have, in alphabetical order; undefined where there are none. */
  unmatchable: readonly string[] | undefined
  /** The blocks up to which the answer has to have every event, whatever an index has received. */
  minBlocks: MinBlocks
}

/** The values of the page that were given, each as its schema reads it. */
type PageValues = {
  [Name in Exclude<PageParameter, 'minBlock'>]?: z.output<(typeof PAGE_PARAMETERS)[Name]['schema']>
} & { minBlock?: MinBlock[] }

interface Values {
  filters: GivenFilters
  page: PageValues
  /** The order by block number. */
  direction: Direction | undefined
}

/** Reads a request's parameters. Throws `InvalidQueryError` with every problem there is. */
export function parseQuery(input: QueryInput): ParsedQuery {
  const { endpoint, user, parameters } = input
  const problems: ParameterProblem[] = [...(input.problems ?? [])]
  const report: Report = (parameter, message) => problems.push({ parameter, message })
  const isUserMissing = problems.some(({ parameter }) => parameter === 'address')
  const ofPath = endpoint === 'user-events' && !isUserMissing ? readUser(user ?? '', report) : {}
  const { names, isMore, direction, ...values } = readParameters(endpoint, parameters, report)
  const page = values.page as PageValues
  if (names.has('cursor') && names.has('skip')) {
    report('cursor', 'cannot be combined with skip: it already says where to go on')
  }
  const isNetworkKnown = problems.every(({ parameter }) => parameter !== 'network')
  const networks = isNetworkKnown ? values.filters.network : undefined
  for (const problem of minBlockProblems(page.minBlock ?? [], networks)) report('minBlock', problem)
  const isQueryKnown = problems.every(({ parameter }) => PAGE_ONLY.has(parameter))
  const filters = { ...ofPath, ...values.filters }
  const parsed = isQueryKnown ? interpret(endpoint, { filters, page, direction }) : undefined
  const { cursor } = page
  if (cursor !== undefined && !(parsed ? parsed.start : isCursor(cursor))) report('cursor', NO_CURSOR)
  if (problems.length > 0 || !parsed?.start) throw new InvalidQueryError(problems, { isMore })
  return { ...parsed, start: parsed.start }
}

/** Parameters that say which part of the answer is wanted and how it is written, and nothing of the query. */
const PAGE_ONLY = new Set<string>([
  'skip',
  'limit',
  'cursor',
  'count',
  'format',
  'minBlock',
] satisfies PageParameter[])

const NO_CURSOR =
  'is not a cursor of this query: use the address in Link as it is, or begin anew without cursor'

/** The user stands in the path, where it is called `address`. */
function readUser(text: string, report: Report): GivenFilters {
  const result = USER_IN_PATH.safeParse(text)
  for (const message of messages(result)) report('address', message)
  return result.success ? { user: [result.data] } : {}
}

/** `start` is undefined where the cursor is none of this query. */
function interpret(endpoint: Endpoint, { filters, page, direction }: Values) {
  // Every one of them is used here or below: a parameter that is read and not used does not compile.
  const { skip = 0, limit = DEFAULT_LIMIT, cursor, createdAt, count = false, ...further } = page
  const { format, minBlock = [], ...others } = further
  others satisfies Record<string, never>
  const minBlocks = new Map(minBlock.map(({ network, blockNumber }) => [network, blockNumber]))
  const { filters: normalised, unmatchable } = normaliseFilters(endpoint, filters)
  const query: Query = { filters: normalised, order: orderOf(createdAt, direction) }
  const plan = planQuery(query, { exact: minBlocks })
  const queryKey = keyOfQuery(endpoint, query)
  const state: CursorState | undefined =
    cursor === undefined ? { from: undefined, skip } : decodeCursor(cursor, queryKey)
  const { from, finalThrough: finalBefore = {} } = state ?? {}
  const isUsable = state && (from === undefined || fitsPlan(from, plan))
  return {
    query,
    plan,
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
