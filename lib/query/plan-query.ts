import type { EventKind } from '../events/event-kinds.ts'
import type { EventList } from '../events/lists.ts'
import { NETWORKS, type Network } from '../events/networks.ts'
import type { Condition } from './condition.ts'
import type { Filters } from './filters.ts'
import { candidateLists, kindsOf, remainingConditions } from './list-conditions.ts'
import type { Direction, Order, Query } from './query.ts'

/** How a query is answered: which lists are read, in which way their rows become the answer's order. */
export type Plan = NothingPlan | RowsPlan | TiesReversedPlan | BlockRunsPlan

/** No event can be in the answer. */
export interface NothingPlan {
  read: 'nothing'
  because: string
}

/** One list, or several that each hold every match and are read with one shared frontier. */
export interface ListsPlan {
  read: 'lists'
  lists: ListChoice[]
  /** Only this network's part. */
  network?: Network
  direction: Direction
}

/** A list, and what its rows must still be tested for. */
export interface ListChoice {
  list: EventList
  where: Condition[]
}

/** One part for each network, merged by time or by block number. */
export interface MergePlan {
  read: 'merge'
  by: Order['by']
  direction: Direction
  parts: (ListsPlan & { network: Network })[]
}

type RowsPlan = ListsPlan | MergePlan

/** Rows by time in one direction, each run of equal timestamps turned round. */
export interface TiesReversedPlan {
  read: 'ties-reversed'
  source: RowsPlan
  ties: Direction
}

/** One block number or transaction hash: at most one run per network, put in order of block and network. */
export interface BlockRunsPlan {
  read: 'block-runs'
  source: ListsPlan
}

/** The cheapest way to answer a query. Pure: it follows from the query alone. */
export function planQuery({ filters, order }: Query): Plan {
  if (filters === 'unmatchable') {
    return { read: 'nothing', because: 'a value is no address or hash of any event' }
  }
  const kinds = kindsOf(filters)
  if (kinds.length === 0) return { read: 'nothing', because: 'no kind of event has all these fields' }

  const source = planRows({ filters, kinds, by: order.by, direction: order.direction })
  if (order.by === 'time') {
    return order.ties === order.direction ? source : { read: 'ties-reversed', source, ties: order.ties }
  }
  const isOneBlock = filters.blockNumber !== undefined || filters.transactionHash !== undefined
  return source.read === 'lists' && isOneBlock && !filters.network ? { read: 'block-runs', source } : source
}

interface RowsRequest {
  filters: Filters
  kinds: EventKind[]
  by: Order['by']
  direction: Direction
}

function planRows({ filters, kinds, by, direction }: RowsRequest): RowsPlan {
  const lists = candidateLists(filters, kinds)
  const { network } = filters
  const choices = (within: Network | undefined): ListChoice[] =>
    lists.map(list => ({ list, where: remainingConditions(filters, kinds, { list, within }) }))
  if (network) return { read: 'lists', lists: choices(network), network, direction }

  const overNetworks = lists.every(({ of }) => of !== 'all')
  const inOrder = by === 'time' || lists.some(({ of }) => of === 'block' || of === 'transaction')
  if (overNetworks && inOrder) return { read: 'lists', lists: choices(undefined), direction }
  const parts = NETWORKS.map(part => ({
    read: 'lists' as const,
    lists: choices(part),
    network: part,
    direction,
  }))
  return { read: 'merge', by, direction, parts }
}
