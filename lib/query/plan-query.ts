import type { EventList } from '../events/lists.ts'
import { NETWORKS, type Network } from '../events/networks.ts'
import {
  blockSpan,
  commonSpan,
  MAX_BLOCK_NUMBER,
  MAX_SECONDS,
  networkOf,
  type Place,
  type PlaceSpan,
  placesBetween,
} from '../events/place.ts'
import type { BlockTimes, ChainKnowledge, Runs } from './chain-knowledge.ts'
import { candidateLists, conditionsOf, kindsOf, openFilters, type Question } from './choose-lists.ts'
import type { Condition } from './condition.ts'
import type { Filters } from './filters.ts'
import type { Position } from './position.ts'
import type { Direction, Order, Query } from './query.ts'

/** How to answer a query: the lists to read, and how to order their rows. */
export type Plan = NothingPlan | RowsPlan | TiesReversedPlan | BlockRunsPlan

export interface NothingPlan {
  read: 'nothing'
  because: string
}

/** Each list contains every match, so each read continues from the furthest place that any list has reached. */
export interface ListsPlan {
  read: 'lists'
  lists: ListChoice[]
  /** If set, only this network's part is read. */
  network?: Network
  /** If set, only rows within these places are read. */
  span?: PlaceSpan
  /** Consistent reads double the cost, and are possible only for one network's part of a list. */
  isConsistent?: boolean
  direction: Direction
}

export interface ListChoice {
  list: EventList
  where: Condition[]
}

/** Disjoint parts, merged by time or by block number. In a merge by block number, each part contains one network. */
export interface MergePlan {
  read: 'merge'
  by: Order['by']
  direction: Direction
  parts: ListsPlan[]
}

type RowsPlan = ListsPlan | MergePlan

/** Reads rows by time in one direction, and reverses each run of rows with equal timestamps. */
export interface TiesReversedPlan {
  read: 'ties-reversed'
  source: RowsPlan
  ties: Direction
}

/** Each network's rows of one block or transaction form a run. Runs are sorted by block number and network. */
export interface BlockRunsPlan {
  read: 'block-runs'
  source: ListsPlan
}

/**
 * If a split by kind would make more parts than this, lists that mix all kinds are read instead, and their rows are
 * tested.
 */
const MAX_PARTS = 25

/**
 * The plan depends only on the query and on the known facts about the chains. If these facts change, the plan may
 * change too, but cursors stay valid, because all plans of a query can resume from one another's positions.
 */
export function planQuery({ filters: asked, order }: Query, known: ChainKnowledge = {}): Plan {
  if (asked === 'unmatchable') return nothing('one of the values is not a valid address or hash')
  const filters = withinNetworks(asked, known.networks)
  if (filters.network?.length === 0) return nothing('the table has none of the requested networks')
  const kinds = kindsOf(filters)
  if (kinds.length === 0) return nothing('no kind of event can match all filters')
  const seconds = secondsOf(filters)
  if (seconds.from > seconds.to) return nothing('the time span contains no whole second')
  if (!isBlockInSpan(filters)) return nothing('blockNumber is not between fromBlock and toBlock')
  const networks = networksOf(filters, known)
  if (networks.length === 0) return nothing('none of the requested networks has a known final block')

  const request = { filters, kinds, networks, order, known }
  const source = known.runs ? planRuns(request, known.runs) : planRows(request)
  if (order.by === 'time') {
    return order.ties === order.direction ? source : { read: 'ties-reversed', source, ties: order.ties }
  }
  return source.read === 'lists' && isOneBlock(filters) && source.network === undefined
    ? { read: 'block-runs', source }
    : source
}

const nothing = (because: string): NothingPlan => ({ read: 'nothing', because })

/**
 * Restricts the filter `network` to the table's networks. If the table has several networks and the filter then lists
 * all of them, the filter is dropped. If the table has only one network, a query without this filter gets that network
 * as its filter.
 */
export function withinNetworks(
  { network: asked, ...others }: Filters,
  networks: readonly Network[] = NETWORKS,
): Filters {
  const network = (asked ?? networks).filter(each => networks.includes(each))
  return network.length === networks.length && network.length > 1 ? others : { ...others, network }
}

const secondsOf = ({ fromTime: [from = 0] = [], toTime: [to = MAX_SECONDS] = [] }: Filters) => ({ from, to })

const blocksOf = ({ fromBlock: [from = 0] = [], toBlock: [to = MAX_BLOCK_NUMBER] = [] }: Filters) => ({
  from,
  to,
})

function isBlockInSpan(filters: Filters): boolean {
  const { from, to } = blocksOf(filters)
  return (filters.blockNumber ?? []).every(block => from <= block && block <= to)
}

const networksOf = (
  { network: asked, finalized }: Filters,
  { finalThrough, networks = NETWORKS }: ChainKnowledge,
) => {
  const network = asked ?? networks
  return finalized && finalThrough ? network.filter(each => finalThrough.has(each)) : network
}

/**
 * Whether the query names a block number or transaction, so that a single list over all networks contains every match,
 * and is usually short.
 */
export const isOneBlock = ({ blockNumber, transactionHash }: Filters) =>
  blockNumber !== undefined || transactionHash !== undefined

interface RowsRequest extends Question {
  networks: readonly Network[]
  order: Order
  known: ChainKnowledge
}

function planRows({ filters, kinds, networks, order, known }: RowsRequest): RowsPlan {
  const { by, direction } = order
  const byToken = questionsByToken({ filters, kinds })
  const isByNetwork = isReadByNetwork({ filters, networks, by, known, lists: byToken.flatMap(listsOf) })
  const within = isByNetwork ? networks : [undefined]
  const most = Math.floor(MAX_PARTS / (byToken.length * within.length))
  const questions = byToken.flatMap(question => questionsByKind(question, most))
  const parts = within.flatMap(network =>
    questions.map(question => planPart(question, { network, direction, known })),
  )
  const isByTime = isMergedByTime(filters, order)
  const [only] = parts
  if (only && parts.length === 1 && (isByTime || !isByNetwork)) return only
  return { read: 'merge', by: isByTime ? 'time' : 'block', direction, parts }
}

/** Within one network, block number and time rise together, so a merge by time is also a merge by block number. */
const isMergedByTime = ({ network }: Filters, { by }: Order) => by === 'time' || network?.length === 1

/**
 * Turns the plan into a merge by block number if only such a merge can resume at the position. This is the case for a
 * position of the kind `networks`. In the order by block number, it is also the case for a position on a network that
 * the plan does not read, because such a cursor comes from a table of several networks.
 */
export function planFrom(from: Position | undefined, { plan, order }: { plan: Plan; order: Order }): Plan {
  if (plan.read !== 'lists' && plan.read !== 'merge') return plan
  const parts = plan.read === 'lists' ? [plan] : plan.parts
  const isElsewhere = (place: Place) => parts.every(({ network }) => network !== networkOf(place))
  const needsMerge =
    from?.at === 'networks' || (from?.at === 'place' && order.by === 'block' && isElsewhere(from.place))
  return needsMerge ? { read: 'merge', by: 'block', direction: plan.direction, parts } : plan
}

/** Reads settled blocks from an index, which has all their events, and other blocks consistently from the table. */
function planRuns({ filters, kinds, networks, order, known }: RowsRequest, runs: Runs): MergePlan {
  const { direction } = order
  const { transactionHash, blockNumber, ...others } = filters
  const question = { filters, kinds }
  const settled = runs.settled.map(run => ({
    network: run.network,
    span: blockSpan(run),
    isConsistent: false,
  }))
  const unsettled = [...runs.unsettled].map(([network, span]) => ({ network, span, isConsistent: true }))
  const parts = [...settled, ...unsettled]
    .filter(({ network }) => networks.includes(network))
    .map(({ network, span, isConsistent }): ListsPlan => {
      // Indexes cannot be read consistently, so only lists of the table itself are candidates.
      const lists = isConsistent ? candidateLists(others, kinds) : listsOf(question)
      const { span: asked = span } = spanOf(filters)
      return {
        read: 'lists',
        lists: choicesOf(question, { lists, network, known }),
        network,
        span: commonSpan(span, asked),
        ...(isConsistent && { isConsistent }),
        direction,
      }
    })
  return { read: 'merge', by: isMergedByTime(filters, order) ? 'time' : 'block', direction, parts }
}

const listsOf = ({ filters, kinds }: Question) => candidateLists(filters, kinds)

function questionsByToken({ filters, kinds }: Question): Question[] {
  const { address } = filters
  if (address === undefined || isOneBlock(filters)) return [{ filters, kinds }]
  return address.map(token => ({ filters: { ...filters, address: [token] }, kinds }))
}

/** Splits the query only if this avoids reading rows of other kinds. */
function questionsByKind(question: Question, most: number): Question[] {
  const { filters, kinds } = question
  const lists = listsOf(question)
  const isWorthIt =
    kinds.length <= most && lists.every(hasKinds) && lists.some(list => isKindOpen(question, list))
  if (!isWorthIt) return [question]
  return kinds.map(kind => ({ filters: { ...filters, event: [kind] }, kinds: [kind] }))
}

/** Whether the table also stores this list separately for each kind of event. */
const hasKinds = (list: EventList) =>
  list.of === 'all' ||
  (list.of === 'token' && list.tokenId === undefined) ||
  (list.of === 'user' && list.role === undefined)

/** Whether the list can contain events of unrequested kinds that meet all other filters. */
const isKindOpen = (question: Question, list: EventList) =>
  openFilters(question, { list, within: undefined }).some(([name]) => name === 'event')

interface NetworksRequest {
  filters: Filters
  networks: readonly Network[]
  by: Order['by']
  known: ChainKnowledge
  lists: readonly EventList[]
}

/** Whether the part of each network is read separately, instead of lists over all networks. */
function isReadByNetwork({ filters, networks, by, known, lists }: NetworksRequest): boolean {
  if (filters.network?.length === 1) return true
  if (isOneBlock(filters)) return false
  // Lists over all networks are in indexes, which cannot be read consistently.
  if (networks.some(network => known.exact?.has(network))) return true
  const isOfSomeNetworks = networks.length < (known.networks ?? NETWORKS).length
  // Blocks with the same number have different times on different networks, so each network has its own span of places.
  const hasBlockSpan = filters.fromBlock !== undefined || filters.toBlock !== undefined
  return by === 'block' || isOfSomeNetworks || hasBlockSpan || lists.some(({ of }) => of === 'all')
}

interface PartRequest {
  network: Network | undefined
  direction: Direction
  known: ChainKnowledge
}

function planPart(question: Question, { network, direction, known }: PartRequest): ListsPlan {
  const isConsistent = network && !isOneBlock(question.filters) && known.exact?.has(network)
  return {
    read: 'lists',
    lists: choicesOf(question, { lists: listsOf(question), network, known }),
    ...(network && { network }),
    ...spanOf(question.filters, network && known.blockTimes?.get(network)),
    ...(isConsistent && { isConsistent }),
    direction,
  }
}

interface ChoicesRequest extends Omit<PartRequest, 'direction'> {
  lists: readonly EventList[]
}

const choicesOf = (question: Question, { lists, network, known }: ChoicesRequest): ListChoice[] =>
  lists.map(list => ({
    list,
    where: conditionsOf(openFilters(question, { list, within: network }), question, known.finalThrough),
  }))

/** The requested seconds, narrowed to the known times of the requested blocks. */
function spanOf(filters: Filters, times: BlockTimes = {}): { span?: PlaceSpan } {
  const { fromTime, toTime } = filters
  const blocks = blocksOf(filters)
  const seconds = secondsOf(filters)
  const ofTime = placesBetween({ from: { seconds: seconds.from }, to: { seconds: seconds.to } })
  const ofBlocks = placesBetween({
    from: times.from === undefined ? { seconds: 0 } : { seconds: times.from, blockNumber: blocks.from },
    to: times.to === undefined ? { seconds: MAX_SECONDS } : { seconds: times.to, blockNumber: blocks.to },
  })
  const isBounded = [fromTime, toTime, times.from, times.to].some(bound => bound !== undefined)
  return isBounded ? { span: commonSpan(ofTime, ofBlocks) } : {}
}
