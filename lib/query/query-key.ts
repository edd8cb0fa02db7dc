import { ROLES } from '../events/event-kinds.ts'
import type { Endpoint } from './endpoints.ts'
import { type Filters, type FilterValue, filterEntries } from './filters.ts'
import type { Query } from './query.ts'

/**
 * Returns a string that is equal for two requests if and only if their queries are the same. Cursors never expire and
 * are bound to this string, so changing a single byte would invalidate every cursor. The filters of the first version
 * therefore keep their old names here: the token's address is `token`, and users in a role are in `roles`. Later
 * filters have their own names. A single value is not written as an array.
 */
export function keyOfQuery(endpoint: Endpoint, { filters, order }: Query): string {
  if (filters === 'unmatchable') return `${endpoint} ${JSON.stringify({ filters, order })}`
  const { user, address: token, network, event, blockNumber, transactionHash, ...others } = valuesOf(filters)
  const roles = Object.fromEntries(ROLES.map(role => [role, others[role]]))
  const later = Object.fromEntries(
    Object.entries(others)
      .filter(([name]) => !(name in roles))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const named = { user, token, network, event, blockNumber, transactionHash, roles, ...later }
  return `${endpoint} ${JSON.stringify({ filters: named, order })}`
}

type Values = FilterValue | readonly FilterValue[]

const valuesOf = (filters: Filters): Partial<Record<string, Values>> =>
  Object.fromEntries(
    filterEntries(filters).map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  )
