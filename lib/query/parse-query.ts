import type * as z from 'zod/mini'
import { type CursorState, decodeCursor, type FinalBlocks, isCursor } from './cursor.ts'
import type { Endpoint } from './endpoint.ts'
import { InvalidQueryError, type ParameterProblem } from './errors.ts'
import {
  FILTER_NAMES,
  FILTERS,
  type FilterName,
  type FilterValue,
  filterOf,
  USER_IN_PATH,
} from './filters.ts'
import type { PageStart } from './page.ts'
import {
  blockNumberSchema,
  DEFAULT_LIMIT,
  type PAGE_PARAMETERS,
  PARAMETERS,
  type PageParameter,
} from './parameters.ts'
import { type Plan, planQuery } from './plan-query.ts'
import { fitsPlan } from './position.ts'
import type { Direction, Order, Query } from './query.ts'
import { keyOfQuery } from './query-key.ts'
import { unknownParameter } from './unknown-parameter.ts'

export interface QueryInput {
  endpoint: Endpoint
  /** What was found wrong before the parameters could be read. */
  problems?: readonly ParameterProblem[]
  /** The user's address, for `user-events`. */
  user?: string
  /** The query parameters in the order given, decoded, repetitions kept. */
  parameters: readonly (readonly [name: string, value: string])[]
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
}

type Report = (parameter: string, message: string) => void

/** The values of the page that were given, each as its schema reads it. */
type PageValues = { [Name in PageParameter]?: z.output<(typeof PAGE_PARAMETERS)[Name]['schema']> }

/** The values of the filters that were given, each as its schema reads it. */
type GivenFilters = Partial<Record<FilterName, readonly unknown[]>>

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
  const { given, isMore } = groupByName(endpoint, parameters)
  const isUserMissing = problems.some(({ parameter }) => parameter === 'address')
  const ofPath = endpoint === 'user-events' && !isUserMissing ? readUser(user ?? '', report) : {}
  const values = readValues(endpoint, given, report)
  if (given.has('cursor') && given.has('skip')) {
    report('cursor', 'cannot be combined with skip: it already says where to go on')
  }
  const isQueryKnown = problems.every(({ parameter }) => PAGE_ONLY.has(parameter))
  const filters = { ...ofPath, ...values.filters }
  const parsed = isQueryKnown ? interpret(endpoint, { ...values, filters }) : undefined
  const { cursor } = values.page
  if (cursor !== undefined && !(parsed ? parsed.start : isCursor(cursor))) report('cursor', NO_CURSOR)
  if (problems.length > 0 || !parsed?.start) throw new InvalidQueryError(problems, { isMore })
  return { ...parsed, start: parsed.start }
}

/** Parameters that say which part of the answer is wanted, and nothing of the query. */
const PAGE_ONLY = new Set<string>(['skip', 'limit', 'cursor', 'count'] satisfies PageParameter[])

const NO_CURSOR =
  'is not a cursor of this query: use the address in Link as it is, or begin anew without cursor'

/** The user stands in the path, where it is called `address`. */
function readUser(text: string, report: Report): GivenFilters {
  const result = USER_IN_PATH.safeParse(text)
  for (const message of messages(result)) report('address', message)
  return result.success ? { user: [result.data] } : {}
}

function readValues(endpoint: Endpoint, given: Map<string, string[]>, report: Report): Values {
  const known = PARAMETERS[endpoint]
  const filters: GivenFilters = {}
  const page: Partial<Record<string, unknown>> = {}
  let direction: Direction | undefined
  for (const [name, texts] of given) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined
    if (name === 'blockNumber') {
      const read = readBlockNumber(texts, report)
      direction = read.direction
      if (read.blockNumber !== undefined) filters.blockNumber = [read.blockNumber]
    } else if (!parameter) {
      report(name, unknownParameter(endpoint, name))
    } else if (isFilter(name)) {
      filters[name] = readFilter(name, texts, report)
    } else if (texts.length > 1) {
      report(name, ONCE)
    } else {
      const result = parameter.schema.safeParse(texts[0])
      if (result.success) page[name] = result.data
      for (const message of messages(result)) report(name, message)
    }
  }
  checkTogether(filters, report)
  return { filters, page: page as PageValues, direction }
}

const ONCE = 'must be given only once'

const isFilter = (name: string): name is FilterName => Object.hasOwn(FILTERS, name)

/** The different values of a filter, given in a list or one by one; of those that are valid. */
function readFilter(name: FilterName, texts: readonly string[], report: Report): unknown[] {
  const { schema, normalise: inRecords, maxValues } = filterOf(name)
  if (maxValues === undefined && texts.length > 1) {
    report(name, ONCE)
    return []
  }
  const all = new Set(maxValues === undefined ? texts : texts.flatMap(text => text.split(',')))
  const values = new Map<unknown, unknown>()
  for (const text of all) {
    const result = schema.safeParse(text)
    if (result.success) values.set(inRecords(result.data) ?? text, result.data)
    const which = all.size > 1 ? `${shown(text)} ` : ''
    if (result.success && all.size > 1 && SPACE.test(text)) report(name, `${which}${NO_SPACE}`)
    for (const message of messages(result)) report(name, `${which}${message}`)
  }
  if (maxValues !== undefined && values.size > maxValues) {
    report(name, `must have at most ${maxValues} different values`)
  }
  return [...values.values()]
}

const SPACE = /\s/
/** A value that matches nothing is valid, but in a list it would be left out unnoticed. */
const NO_SPACE = 'has a space: write values with a comma and nothing else between them'

/** Values are told back to this length. */
const SHOWN_LENGTH = 60

const shown = (text: string) =>
  JSON.stringify(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…`.toWellFormed() : text)

/** What is wrong with filters only beside each other. */
function checkTogether(filters: GivenFilters, report: Report): void {
  for (const name of FILTER_NAMES) {
    const given = filters[name]
    const filter = filterOf(name)
    if (given === undefined) continue
    if (filter.needs !== undefined && !(filter.needs in filters)) {
      report(name, `means nothing without ${filter.needs}: give both`)
    }
    if (!('until' in filter) || filter.until === undefined) continue
    const { name: end, compare } = filter.until
    const [[from], [to] = []] = [given, filters[end]]
    if (from !== undefined && to !== undefined && compare(from, to) > 0) {
      report(name, `lies behind ${end}: change places`)
    }
  }
}

/** `start` is undefined where the cursor is none of this query. */
function interpret(endpoint: Endpoint, { filters, page, direction }: Values) {
  // Every one of them is used here or below: a parameter that is read and not used does not compile.
  const { skip = 0, limit = DEFAULT_LIMIT, cursor, createdAt, count = false, ...others } = page
  others satisfies Record<string, never>
  const query: Query = { filters: normalise(filters), order: orderOf(createdAt, direction) }
  const plan = planQuery(query)
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
  }
}

function orderOf(createdAt: Direction | undefined, direction: Direction | undefined): Order {
  if (createdAt === undefined && direction !== undefined) return { by: 'block', direction }
  const byTime = createdAt ?? 'desc'
  return { by: 'time', direction: byTime, ties: direction ?? byTime }
}

function normalise(given: GivenFilters): Query['filters'] {
  const filters: Partial<Record<FilterName, FilterValue[]>> = {}
  for (const name of FILTER_NAMES) {
    const { normalise: inRecords, asks = () => true } = filterOf(name)
    const asked = (given[name] ?? []).filter(asks)
    const values = new Set(asked.flatMap(value => inRecords(value) ?? []))
    if (asked.length > 0 && values.size === 0) return 'unmatchable'
    if (values.size > 0) filters[name] = [...values].sort()
  }
  return filters as Exclude<Query['filters'], 'unmatchable'>
}

/** No endpoint has nearly so many parameters: where there are more, the first ones are wrong enough. */
const MAX_NAMES = 100

/** What was given for each name; beyond `MAX_NAMES` only for those that the endpoint has. */
function groupByName(endpoint: Endpoint, parameters: QueryInput['parameters']) {
  const known = PARAMETERS[endpoint]
  const given = new Map<string, string[]>()
  let isMore = false
  for (const [name, value] of parameters) {
    const values = given.get(name)
    if (values) values.push(value)
    else if (given.size < MAX_NAMES || Object.hasOwn(known, name)) given.set(name, [value])
    else isMore = true
  }
  return { given, isMore }
}

interface BlockNumberMeanings {
  direction?: Direction
  blockNumber?: number
}

function readBlockNumber(texts: readonly string[], report: Report): BlockNumberMeanings {
  const read: BlockNumberMeanings = {}
  const problems = new Set<string>()
  for (const text of texts) {
    const result = blockNumberSchema.safeParse(text)
    for (const message of messages(result)) problems.add(message)
    if (!result.success) continue
    const meaning = typeof result.data === 'string' ? 'direction' : 'blockNumber'
    if (read[meaning] !== undefined) problems.add(BLOCK_NUMBER_TWICE[meaning])
    Object.assign(read, { [meaning]: result.data })
  }
  for (const message of problems) report('blockNumber', message)
  return read
}

const BLOCK_NUMBER_TWICE = {
  direction: 'gives the sort direction (asc or desc) more than once',
  blockNumber: 'gives a block number to filter by more than once',
}

const messages = (result: z.core.util.SafeParseResult<unknown>) =>
  result.success ? [] : [...new Set(result.error.issues.map(issue => issue.message))]
