import type { Network } from '../events/networks.ts'
import { BEGINNING, type Place, type PlaceSpan } from '../events/place.ts'
import type { EventStore } from '../query/event-store.ts'
import { type Plan, planQuery } from '../query/plan-query.ts'
import { readPage } from '../query/read-page.ts'
import type { ChangeScope, TurnContext } from './turn.ts'

interface Reading {
  network: Network
  scope: ChangeScope
  /** The read starts after this place and ends at `frontier`. */
  after: Place
  frontier: Place
  limit: number
}

/**
 * Resolves with records in chain order, the place up to which they contain every matching event, and whether this place
 * is the frontier. The reads are strongly consistent, because the feed never returns to an event that a read has
 * missed.
 */
export async function readAdditions(
  { network, scope, after, frontier, limit }: Reading,
  { store, ...context }: Pick<TurnContext, 'store' | 'budget' | 'cost'>,
) {
  const filters = scope.filters === 'unmatchable' ? scope.filters : { ...scope.filters, network: [network] }
  const plan = planQuery({ filters, order: { by: 'time', direction: 'asc', ties: 'asc' } })
  const from = after === BEGINNING ? undefined : ({ at: 'place', place: after } as const)
  const start = { from, skip: 0, limit }
  const { records, next } = await readPage(withinFrontier(plan, frontier), start, {
    store: readConsistently(store),
    ...context,
  })
  if (next) return { records, place: next.from?.at === 'place' ? next.from.place : after, isEnd: false }
  return { records, place: frontier, isEnd: true }
}

const readConsistently = (store: EventStore): EventStore => ({
  ...store,
  readList: (reading, options) => store.readList({ ...reading, isConsistent: true }, options),
})

function withinFrontier(plan: Plan, frontier: Place): Plan {
  const span: PlaceSpan = { first: BEGINNING, last: frontier }
  if (plan.read === 'lists') return { ...plan, span }
  return plan.read === 'merge' ? { ...plan, parts: plan.parts.map(part => ({ ...part, span })) } : plan
}
