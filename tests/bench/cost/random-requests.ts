import type { EventRecord } from '../../../lib/events/record.ts'
import { FILTER_NAMES, type FilterName, filterOf } from '../../../lib/query/filters.ts'
import type { QueryInput } from '../../../lib/query/parse-query.ts'
import { createRandom } from '../../support/records/random.ts'

const ORDERS: [string, string][] = [
  ['createdAt', 'desc'],
  ['createdAt', 'asc'],
  ['blockNumber', 'desc'],
  ['blockNumber', 'asc'],
]

/** Each request has at most four filters, which all match the same random record. */
export function* randomRequests(records: readonly EventRecord[], seed: number): Generator<QueryInput> {
  const random = createRandom(seed)
  for (;;) {
    const record = random.pick(records)
    const endpoint = random.pick(['user-events', 'token-events', 'token-events'] as const)
    const isUser = endpoint === 'user-events'
    const offered = FILTER_NAMES.filter(name => filterOf(name).endpoints.includes(endpoint)).flatMap(name =>
      valuesIn(record, name).map(value => [name, value] as [string, string]),
    )
    const parameters: [string, string][] = [random.pick(ORDERS)]
    const count = random.pick(isUser ? [1, 2, 3] : [2, 3, 4])
    while (parameters.length <= count && offered.length > 0) {
      parameters.push(...offered.splice(random.below(offered.length), 1))
    }
    const [user = ''] = valuesIn(record, 'user')
    yield { endpoint, parameters: parameters.filter(isWhole), ...(isUser && { user }) }
  }
}

/** Whether the query also has the parameter that this parameter requires. For example, `tokenId` requires `address`. */
function isWhole([name]: [string, string], _: number, all: [string, string][]): boolean {
  const needs = FILTER_NAMES.includes(name as FilterName) ? filterOf(name as FilterName).needs : undefined
  return needs === undefined || all.some(([other]) => other === needs)
}

function valuesIn(record: EventRecord, name: FilterName): string[] {
  const filter = filterOf(name)
  // Omits spans, because a span that starts or ends at the record's block would alone decide which list is read.
  const [field = ''] = (filter.isImplied && filter.fields[record.event]) || []
  const value = (record as Readonly<Record<string, unknown>>)[field]
  const text = String(value)
  return value !== undefined && filter.schema.safeParse(text).success ? [text] : []
}
