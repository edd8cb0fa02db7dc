import type * as z from 'zod/mini'
import type { Resource } from './endpoints.ts'
import { FILTER_NAMES, FILTERS, type FilterName, filterOf } from './filters.ts'
import { blockNumberSchema, PARAMETERS } from './parameters.ts'
import type { Direction } from './query.ts'
import { unknownParameter } from './unknown-parameter.ts'

/** The decoded parameters, in the given order and with repetitions. */
export type GivenParameters = readonly (readonly [name: string, value: string])[]

export type Report = (parameter: string, message: string) => void

/** The values of the request's filters, as parsed by their schemas. */
export type GivenFilters = Partial<Record<FilterName, readonly unknown[]>>

/** `direction` is the direction of the sort by block number. `isMore` is true if some names were not examined. */
export function readParameters(resource: Resource, parameters: GivenParameters, report: Report) {
  const { given, isMore } = groupByName(resource, parameters)
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
      page[name] = readEach(texts.flatMap(splitList), { name, parameter, report }).map(({ value }) => value)
    } else if (texts.length > 1) {
      report(name, ONCE)
    } else {
      const result = parameter.schema.safeParse(texts[0])
      if (result.success) page[name] = result.data
      for (const message of messages(result)) report(name, message)
    }
  }
  checkTogether(filters, report)
  return { filters, page, direction, names: new Set(given.keys()), isMore }
}

const ONCE = 'must be given only once'

/** Whether the parameter is a filter in this resource. In another resource, its name may have a different meaning. */
const isFilter = (resource: Resource, name: string): name is FilterName =>
  Object.hasOwn(FILTERS, name) && filterOf(name as FilterName).endpoints.includes(resource)

/** Returns the distinct values, which can be sent as a list or as repeated parameters. */
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

/**
 * Returns the valid values with their texts. If there are several texts, each error message begins with the text that
 * it concerns.
 */
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
/**
 * A value with a space matches nothing. In a list, the other values would hide this mistake, so such a value is
 * rejected.
 */
const NO_SPACE = 'has a space: separate values with commas only, without spaces'

const SHOWN_LENGTH = 60

const shown = (text: string) =>
  JSON.stringify(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…`.toWellFormed() : text)

function checkTogether(filters: GivenFilters, report: Report): void {
  for (const name of FILTER_NAMES) {
    const given = filters[name]
    const filter = filterOf(name)
    if (given === undefined) continue
    if (filter.needs !== undefined && !(filter.needs in filters)) {
      report(name, `needs ${filter.needs}: send both`)
    }
    if (filter.until === undefined) continue
    const { name: end, compare } = filter.until
    const [[from], [to] = []] = [given, filters[end]]
    if (from !== undefined && to !== undefined && compare(from, to) > 0) {
      report(name, `is later than ${end}: swap the two`)
    }
  }
}

/** No resource has this many parameters, so it is enough to report the problems with the first names. */
const MAX_NAMES = 100

/** Beyond `MAX_NAMES` different names, a name is kept only if the resource has a parameter of this name. */
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
  direction: 'gives more than one sort direction (asc or desc)',
  blockNumber: 'gives more than one block number to filter by',
}

export const messages = (result: z.core.util.SafeParseResult<unknown>) =>
  result.success ? [] : [...new Set(result.error.issues.map(issue => issue.message))]
