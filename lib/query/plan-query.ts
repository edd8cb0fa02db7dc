import type { EventKind } from '../events/event-kinds.ts'
import type { EventList } from '../events/lists.ts'
import { NETWORKS, type Network } from '../events/networks.ts'
import { MAX_SECONDS, type PlaceSpan, placesOfSeconds } from '../events/place.ts'
import type { Condition } from './condition.ts'
import type { Filters } from './filters.ts'
import { candidateLists, isKindOpen, kindsOf, remainingConditions } from './list-conditions.ts'
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
  /** Only what stands at these places. */
  span?: PlaceSpan
  direction: Direction
}

/** A list, and what its rows must still be tested for. */
export interface ListChoice {
  list: EventList
  where: Condition[]
}

/** Parts of which no two hold the same event, merged by time or by block number; by block number, each of one network. */
export interface MergePlan {
  read: 'merge'
  by: Order['by']
  direction: Direction
  parts: ListsPlan[]
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

/** Where several kinds would make more parts, the rows of a list of all kinds are tested. */
const MAX_PARTS = 25

/** The cheapest way to answer a query. Pure: it follows from the query alone. */
export function planQuery({ filters: asked, order }: Query): Plan {
  if (asked === 'unmatchable') {
    return { read: 'nothing', because: 'a value is no address or hash of any event' }
  }
  const filters = withoutAllNetworks(asked)
  const kinds = kindsOf(filters)
  if (kinds.length === 0) return { read: 'nothing', because: 'no kind of event has all these fields' }
  if (isEmpty(secondsOf(filters))) return { read: 'nothing', because: 'no second lies in the span' }

  const source = planRows({ filters, kinds, by: order.by, direction: order.direction })
  if (order.by === 'time') {
    return order.ties === order.direction ? source : { read: 'ties-reversed', source, ties: order.ties }
  }
  return source.read === 'lists' && isOneBlock(filters) && source.network === undefined
    ? { read: 'block-runs', source }
    : source
}

/** Naming all networks leaves out no event. */
function withoutAllNetworks({ network, ...others }: Filters): Filters {
  return network && network.length < NETWORKS.length ? { ...others, network } : others
}

/** A block number's or a transaction's events are few, and in one list over all networks. */
const isOneBlock = ({ blockNumber, transactionHash }: Filters) =>
  blockNumber !== undefined || transactionHash !== undefined

/** The seconds that are asked for, both ends included. */
const secondsOf = ({ fromTime: [from = 0] = [], toTime: [to = MAX_SECONDS] = [] }: Filters) => ({ from, to })

const isEmpty = ({ from, to }: { from: number; to: number }) => from > to

interface RowsRequest {
  filters: Filters
  kinds: EventKind[]
  by: Order['by']
  direction: Direction
}

/** What is asked of one list, or of several that compete. */
interface Question {
  filters: Filters
  /** The kinds of events that can match. */
  kinds: EventKind[]
}

function planRows({ filters, kinds, by, direction }: RowsRequest): RowsPlan {
  const byToken = questionsByToken({ filters, kinds })
  const networks = networksRead({ filters, by, lists: byToken.flatMap(listsOf) })
  const most = Math.floor(MAX_PARTS / (byToken.length * (networks?.length ?? 1)))
  const questions = byToken.flatMap(question => questionsByKind(question, most))
  const parts = (networks ?? [undefined]).flatMap(network =>
    questions.map(question => planPart(question, { network, direction })),
  )
  const [only] = parts
  if (only && parts.length === 1) return only
  // Within one network block number and time rise together.
  return { read: 'merge', by: networks?.length === 1 ? 'time' : by, direction, parts }
}

const listsOf = ({ filters, kinds }: Question) => candidateLists(filters, kinds)

/** The same question of one token each, where several are asked for. */
function questionsByToken({ filters, kinds }: Question): Question[] {
  const { address } = filters
  if (address === undefined || isOneBlock(filters)) return [{ filters, kinds }]
  return address.map(token => ({ filters: { ...filters, address: [token] }, kinds }))
}

/** The same question of one kind each, at most so many, where that spares rows of kinds that are not asked for. */
function questionsByKind({ filters, kinds }: Question, most: number): Question[] {
  const lists = candidateLists(filters, kinds)
  const isWorthIt =
    kinds.length <= most &&
    lists.every(hasKinds) &&
    lists.some(list => isKindOpen(filters, kinds, { list, within: undefined }))
  if (!isWorthIt) return [{ filters, kinds }]
  return kinds.map(kind => ({ filters: { ...filters, event: [kind] }, kinds: [kind] }))
}

/** Whether there are lists that hold one kind of its events each. */
const hasKinds = (list: EventList) =>
  list.of === 'all' ||
  (list.of === 'token' && list.tokenId === undefined) ||
  (list.of === 'user' && list.role === undefined)

interface NetworksRequest {
  filters: Filters
  by: Order['by']
  lists: readonly EventList[]
}

/** The networks that are each read by themselves; undefined where lists over all networks are read. */
function networksRead({ filters, by, lists }: NetworksRequest): readonly Network[] | undefined {
  const { network } = filters
  if (network?.length === 1) return network
  if (isOneBlock(filters)) return undefined
  const isOverNetworks = by === 'time' && lists.every(({ of }) => of !== 'all')
  return network ?? (isOverNetworks ? undefined : NETWORKS)
}

function planPart(
  { filters, kinds }: Question,
  { network, direction }: { network: Network | undefined; direction: Direction },
): ListsPlan {
  return {
    read: 'lists',
    lists: candidateLists(filters, kinds).map(list => ({
      list,
      where: remainingConditions(filters, kinds, { list, within: network }),
    })),
    ...(network && { network }),
    ...spanOf(filters),
    direction,
  }
}

/** The places of the seconds that are asked for. */
function spanOf(filters: Filters): { span?: PlaceSpan } {
  if (filters.fromTime === undefined && filters.toTime === undefined) return {}
  return { span: placesOfSeconds(secondsOf(filters)) }
}
