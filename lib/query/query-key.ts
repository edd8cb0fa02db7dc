import { ROLES } from '../events/event-kinds.ts'
import type { Endpoint } from './endpoint.ts'
import { type Filters, type FilterValue, filterEntries } from './filters.ts'
import type { Query } from './query.ts'

/**
 * A text that two requests share exactly when they ask the same query. Cursors are bound to it, and they
 * never expire: a change of a single byte refuses all that callers hold. So filters keep the places in which
 * the first version had them: the token's address is `token`, users in a role are among `roles`, and a filter of one
 * value has no list. What came later follows by its name.
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
