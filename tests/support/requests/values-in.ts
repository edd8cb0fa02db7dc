import type { EventRecord } from '../../../lib/events/record.ts'
import { FILTER_NAMES, type FilterName, filterOf } from '../../../lib/query/filters.ts'
import type { Endpoint } from './api-request.ts'

export const filtersOf = (endpoint: Endpoint): FilterName[] =>
  FILTER_NAMES.filter(name => filterOf(name).endpoints.includes(endpoint))

const BLOCK_NUMBER = { min: 1, max: 100_000_000 }

/** Returns the filter's values that match the record, whose block is assumed to be final. */
export function valuesIn(record: EventRecord, name: FilterName): string[] {
  if (name === 'finalized') return ['true']
  const fields = filterOf(name).fields[record.event] ?? []
  const values = fields.flatMap(field => (record as unknown as Record<string, unknown>)[field])
  return values.filter(value => name !== 'blockNumber' || isBlockNumber(Number(value))).map(String)
}

const isBlockNumber = (value: number) => BLOCK_NUMBER.min <= value && value <= BLOCK_NUMBER.max
