import type { EventRecord } from '../../../lib/events/record.ts'
import { FILTER_NAMES, type FilterName, filterOf } from '../../../lib/query/filters.ts'
import type { Endpoint } from './api-request.ts'

/** The filters that an endpoint has, in the order of the table. */
export const filtersOf = (endpoint: Endpoint): FilterName[] =>
  FILTER_NAMES.filter(name => filterOf(name).endpoints.includes(endpoint))

const BLOCK_NUMBER = { min: 1, max: 100_000_000 }

/** What a filter can be given so that this record, if it is final, matches: none where no value does that. */
export function valuesIn(record: EventRecord, name: FilterName): string[] {
  const filter = filterOf(name)
  if ('isOfFinality' in filter) return ['true']
  if ('spanOf' in filter) return [filter.spanOf === 'seconds' ? record.createdAt : String(record.blockNumber)]
  const fields = filter.fields[record.event] ?? []
  const values = fields.flatMap(field => (record as unknown as Record<string, unknown>)[field])
  return values.filter(value => name !== 'blockNumber' || isBlockNumber(Number(value))).map(String)
}

const isBlockNumber = (value: number) => BLOCK_NUMBER.min <= value && value <= BLOCK_NUMBER.max
