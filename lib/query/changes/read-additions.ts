import type { Network } from '../../events/networks.ts'
import { BEGINNING, type Place, type PlaceSpan, placeOf } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import type { Budget } from '../budget.ts'
import type { EventStore } from '../event-store.ts'
import { type Plan, planQuery } from '../plan-query.ts'
import { readPage } from '../read-page.ts'
import type { RequestCost } from '../request-cost.ts'
import type { ChangeScope } from './change.ts'

interface Additions {
  records: EventRecord[]
  /** Up to where all that is asked for is among them. */
  place: Place
  /** Whether nothing follows that is settled. */
  isEnd: boolean
}

interface Reading {
  network: Network
  scope: ChangeScope
  /** Where to go on, and where to stop at the latest. */
  after: Place
  frontier: Place | undefined
  limit: number
}

interface AdditionsContext {
  store: EventStore
  budget: Budget
  cost: RequestCost
}

/**
 * The events of a network that are asked for, in the order of its chain, from one place on: as any query of this
 * network is read, but consistently, for what is not found now is not looked for again.
 */
export async function readAdditions(
  { network, scope, after, frontier, limit }: Reading,
  { store, ...context }: AdditionsContext,
): Promise<Additions> {
  const filters = scope.filters === 'unmatchable' ? scope.filters : { ...scope.filters, network: [network] }
  const plan = planQuery({ filters, order: { by: 'time', direction: 'asc', ties: 'asc' } })
  const from = after === BEGINNING ? undefined : ({ at: 'place', place: after } as const)
  const start = { from, skip: 0, limit }
  const { records, next } = await readPage(withinFrontier(plan, frontier), start, {
    store: readConsistently(store),
    ...context,
  })
  const last = records.at(-1)
  if (next) return { records, place: next.from?.at === 'place' ? next.from.place : after, isEnd: false }
  return { records, place: frontier ?? (last ? placeOf(last) : after), isEnd: true }
}

const readConsistently = (store: EventStore): EventStore => ({
  ...store,
  readList: (reading, options) => store.readList({ ...reading, isConsistent: true }, options),
})

function withinFrontier(plan: Plan, frontier: Place | undefined): Plan {
  if (frontier === undefined) return plan
  const span: PlaceSpan = { first: BEGINNING, last: frontier }
  if (plan.read === 'lists') return { ...plan, span }
  return plan.read === 'merge' ? { ...plan, parts: plan.parts.map(part => ({ ...part, span })) } : plan
}
