import type { Endpoint } from './endpoint.ts'
import type { Query } from './query.ts'

/**
 * A text that two requests share exactly when they ask the same query. Cursors are bound to it, and they
 * never expire: a change of a single byte refuses all that callers hold. So filters keep the places in which
 * the first version had them: the token's address is `token`, and all others than those named are `roles`.
 */
export function keyOfQuery(endpoint: Endpoint, { filters, order }: Query): string {
  if (filters === 'unmatchable') return `${endpoint} ${JSON.stringify({ filters, order })}`
  const { user, address: token, network, event, blockNumber, transactionHash, ...others } = filters
  const roles = Object.fromEntries(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1)))
  const named = { user, token, network, event, blockNumber, transactionHash, roles }
  return `${endpoint} ${JSON.stringify({ filters: named, order })}`
}
