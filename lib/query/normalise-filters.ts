import type { Resource } from './endpoints.ts'
import { FILTER_NAMES, type FilterName, type Filters, type FilterValue, filterOf } from './filters.ts'
import type { GivenFilters } from './read-parameters.ts'

export function normaliseFilters(resource: Resource, given: GivenFilters) {
  const filters: Partial<Record<FilterName, FilterValue[]>> = {}
  const unmatchable: string[] = []
  for (const name of FILTER_NAMES) {
    const { normalise: inRecords, asks = () => true } = filterOf(name)
    const asked = (given[name] ?? []).filter(asks)
    const values = new Set(asked.flatMap(value => inRecords(value) ?? []))
    if (asked.length > 0 && values.size === 0) unmatchable.push(parameterOf(resource, name))
    if (values.size > 0) filters[name] = [...values].sort()
  }
  if (unmatchable.length > 0) return { filters: 'unmatchable' as const, unmatchable: unmatchable.sort() }
  return { filters: filters as Filters, unmatchable: undefined }
}

/** In user-events, the user is the path parameter `address`. */
const parameterOf = (resource: Resource, filter: FilterName) =>
  resource === 'user-events' && filter === 'user' ? 'address' : filter
