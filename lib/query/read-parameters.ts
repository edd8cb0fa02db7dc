import type * as z from 'zod/mini'
import type { Resource } from './endpoint.ts'
import {
  FILTER_NAMES,
  FILTERS,
  type FilterName,
  type Filters,
  type FilterValue,
  filterOf,
} from './filters.ts'
import { blockNumberSchema, PARAMETERS } from './parameters.ts'
import type { Direction, Query } from './query.ts'
import { unknownParameter } from './unknown-parameter.ts'

/** The parameters of a request in the order given, decoded, repetitions kept. */
export type GivenParameters = readonly (readonly [name: string, value: string])[]

export type Report = (parameter: string, message: string) => void

/** The values of the filters that were given, each as its schema reads it. */
export type GivenFilters = Partial<Record<FilterName, readonly unknown[]>>

interface Values {
  filters: GivenFilters
  /** The values of the other parameters that were given, each as its schema reads it. */
  page: Partial<Record<string, unknown>>
  /** The order by block number. */
  direction: Direction | undefined
  /** The names that were given. */
  names: ReadonlySet<string>
  /** Whether there were more names than were looked at. */
  isMore: boolean
}

/** Reads the parameters of a resource by its table, and reports every one that is wrong. */
export function readParameters(resource: Resource, parameters: GivenParameters, report: Report): Values {
  const { given, isMore } = groupByName(resource, parameters)
  return { ...readValues(resource, given, report), names: new Set(given.keys()), isMore }
}

function readValues(resource: Resource, given: Map<string, string[]>, report: Report) {
  const known = PARAMETERS[resource]
  const filters: GivenFilters = {}
  const page: Partial<Record<string, unknown>> = {}
  let direction: Direction | undefined
  for (const [name, texts] of given) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined
    if (!parameter) {
      report(name, unknownParameter(resource, name))
    } else if (name === 'blockNumber') {
      const read = readBlockNumber(texts, report)
      direction = read.direction
      if (read.blockNumber !== undefined) filters.blockNumber = [read.blockNumber]
    } else if (isFilter(resource, name)) {
      filters[name] = readFilter(name, texts, report)
    } else if (parameter.maxValues !== undefined) {
      const listed = texts.flatMap(splitList)
      page[name] = readEach(listed, { name, parameter, report }).map(({ value }) => value)
    } else if (texts.length > 1) {
      report(name, ONCE)
    } else {
      const result = parameter.schema.safeParse(texts[0])
      if (result.success) page[name] = result.data
      for (const message of messages(result)) report(name, message)
    }
  }
  checkTogether(filters, report)
  return { filters, page, direction }
}

const ONCE = 'must be given only once'

/** A name may be that of a filter of one resource, and mean something else to another. */
const isFilter = (resource: Resource, name: string): name is FilterName =>
  Object.hasOwn(FILTERS, name) && filterOf(name as FilterName).endpoints.includes(resource)

/** The different values of a filter, given in a list or one by one; of those that are valid. */
function readFilter(name: FilterName, texts: readonly string[], report: Report): unknown[] {
  const parameter = filterOf(name)
  const { normalise: inRecords, maxValues } = parameter
  if (maxValues === undefined && texts.length > 1) {
    report(name, ONCE)
    return []
  }
  const all = new Set(maxValues === undefined ? texts : texts.flatMap(splitList))
  const read = readEach([...all], { name, parameter, report })
  const values = new Map(read.map(({ text, value }) => [inRecords(value) ?? text, value]))
  if (maxValues !== undefined && values.size > maxValues) {
    report(name, `must have at most ${maxValues} different values`)
  }
  return [...values.values()]
}

const splitList = (text: string) => text.split(',')

interface Listed {
  name: string
  parameter: { schema: z.ZodMiniType<unknown, string> }
  report: Report
}

/** The values that are valid, each with its text. Which of several is wrong is said with what is wrong. */
function readEach(texts: readonly string[], { name, parameter, report }: Listed) {
  return texts.flatMap(text => {
    const result = parameter.schema.safeParse(text)
    const which = texts.length > 1 ? `${shown(text)} ` : ''
    if (result.success && texts.length > 1 && SPACE.test(text)) report(name, `${which}${NO_SPACE}`)
    for (const message of messages(result)) report(name, `${which}${message}`)
    return result.success ? [{ text, value: result.data }] : []
  })
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

interface NormalisedFilters {
  /** What must hold for an event, of the values that were given. */
  filters: Query['filters']
  /** The parameters of which no value can hold for any event, in alphabetical order; undefined where there are none. */
  unmatchable: readonly string[] | undefined
}

/** The values that were given to a resource, as records have them. */
export function normaliseFilters(resource: Resource, given: GivenFilters): NormalisedFilters {
  const filters: Partial<Record<FilterName, FilterValue[]>> = {}
  const unmatchable: string[] = []
  for (const name of FILTER_NAMES) {
    const { normalise: inRecords, asks = () => true } = filterOf(name)
    const asked = (given[name] ?? []).filter(asks)
    const values = new Set(asked.flatMap(value => inRecords(value) ?? []))
    if (asked.length > 0 && values.size === 0) unmatchable.push(parameterOf(resource, name))
    if (values.size > 0) filters[name] = [...values].sort()
  }
  if (unmatchable.length > 0) return { filters: 'unmatchable', unmatchable: unmatchable.sort() }
  return { filters: filters as Filters, unmatchable: undefined }
}

/** The user of user-events stands in the path, where it is called `address`. */
const parameterOf = (resource: Resource, filter: FilterName) =>
  resource === 'user-events' && filter === 'user' ? 'address' : filter

/** No resource has nearly so many parameters: where there are more, the first ones are wrong enough. */
const MAX_NAMES = 100

/** What was given for each name; beyond `MAX_NAMES` only for those that the resource has. */
function groupByName(resource: Resource, parameters: GivenParameters) {
  const known = PARAMETERS[resource]
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

/** What is wrong with a value. */
export const messages = (result: z.core.util.SafeParseResult<unknown>) =>
  result.success ? [] : [...new Set(result.error.issues.map(issue => issue.message))]
