import type { EventList } from '../events/lists.ts'
import { NETWORKS, type Network } from '../events/networks.ts'
import {
  blockSpan,
  commonSpan,
  MAX_BLOCK_NUMBER,
  MAX_SECONDS,
  type PlaceSpan,
  placesBetween,
} from '../events/place.ts'
import type { BlockTimes, ChainKnowledge, Runs } from './chain-knowledge.ts'
import type { Condition } from './condition.ts'
import type { Filters } from './filters.ts'
import { candidateLists, conditionOf, kindsOf, openFilters, type Question } from './list-conditions.ts'
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
  /** With all that is stored at this moment, at twice the price; of one network's part only. */
  isConsistent?: boolean
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

/**
 * The cheapest way to answer a query. Pure: it follows from the query and what is known of the chains. Whatever that
 * is, positions in the answer have the same form, so that a cursor outlasts it.
 */
export function planQuery({ filters: asked, order }: Query, known: ChainKnowledge = {}): Plan {
  if (asked === 'unmatchable') return nothing('a value is no address or hash of any event')
  const filters = withoutAllNetworks(asked)
  const kinds = kindsOf(filters)
  if (kinds.length === 0) return nothing('no kind of event has all these fields')
  if (isEmpty(secondsOf(filters))) return nothing('no second lies in the span')
  if (!isBlockInSpan(filters)) return nothing('the block lies outside of the span')
  const networks = networksOf(filters, known)
  if (networks.length === 0) return nothing('of no network it is known what is final')

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

/** Naming all networks leaves out no event. */
function withoutAllNetworks({ network, ...others }: Filters): Filters {
  return network && network.length < NETWORKS.length ? { ...others, network } : others
}

/** The seconds that are asked for, both ends included. */
const secondsOf = ({ fromTime: [from = 0] = [], toTime: [to = MAX_SECONDS] = [] }: Filters) => ({ from, to })

const isEmpty = ({ from, to }: { from: number; to: number }) => from > to

/** The block numbers that are asked for, both ends included. */
const blocksOf = ({ fromBlock: [from = 0] = [], toBlock: [to = MAX_BLOCK_NUMBER] = [] }: Filters) => ({
  from,
  to,
})

function isBlockInSpan(filters: Filters): boolean {
  const { from, to } = blocksOf(filters)
  return (filters.blockNumber ?? []).every(block => from <= block && block <= to)
}

/** The networks that can have events which match. */
const networksOf = ({ network = NETWORKS, finalized }: Filters, { finalThrough }: ChainKnowledge) =>
  finalized && finalThrough ? network.filter(each => finalThrough.has(each)) : network

/** A block number's or a transaction's events are few, and in one list over all networks. */
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

/** Within one network block number and time rise together. */
const isMergedByTime = ({ network }: Filters, { by }: Order) => by === 'time' || network?.length === 1

/** The events of a transaction or a block number, block by block where an index has all of them, and consistently elsewhere. */
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
      // Only lists that the table itself holds can be read consistently.
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

/** The same question of one token each, where several are asked for. */
function questionsByToken({ filters, kinds }: Question): Question[] {
  const { address } = filters
  if (address === undefined || isOneBlock(filters)) return [{ filters, kinds }]
  return address.map(token => ({ filters: { ...filters, address: [token] }, kinds }))
}

/** The same question of one kind each, at most so many, where that spares rows of kinds that are not asked for. */
function questionsByKind(question: Question, most: number): Question[] {
  const { filters, kinds } = question
  const lists = listsOf(question)
  const isWorthIt =
    kinds.length <= most && lists.every(hasKinds) && lists.some(list => isKindOpen(question, list))
  if (!isWorthIt) return [question]
  return kinds.map(kind => ({ filters: { ...filters, event: [kind] }, kinds: [kind] }))
}

/** Whether there are lists that hold one kind of its events each. */
const hasKinds = (list: EventList) =>
  list.of === 'all' ||
  (list.of === 'token' && list.tokenId === undefined) ||
  (list.of === 'user' && list.role === undefined)

/** Whether the list holds events of kinds that are not asked for and pass all that is asked beside them. */
const isKindOpen = (question: Question, list: EventList) =>
  openFilters(question, { list, within: undefined }).some(([name]) => name === 'event')

interface NetworksRequest {
  filters: Filters
  networks: readonly Network[]
  by: Order['by']
  known: ChainKnowledge
  lists: readonly EventList[]
}

/** Whether networks are read each by itself; otherwise lists over all of them are. */
function isReadByNetwork({ filters, networks, by, known, lists }: NetworksRequest): boolean {
  if (filters.network?.length === 1) return true
  if (isOneBlock(filters)) return false
  // Only the table itself can be read consistently.
  if (networks.some(network => known.exact?.has(network))) return true
  const isOfSomeNetworks = networks.length < NETWORKS.length
  // The blocks of one span are of other times on each network.
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

/** Lists, and what their rows must still be tested for. */
const choicesOf = (question: Question, { lists, network, known }: ChoicesRequest): ListChoice[] =>
  lists.map(list => ({
    list,
    where: openFilters(question, { list, within: network }).map(entry =>
      conditionOf(entry, { kinds: question.kinds, finalThrough: known.finalThrough }),
    ),
  }))

/** The places of the seconds that are asked for, and between the times that are known of the blocks. */
function spanOf(filters: Filters, times: BlockTimes = {}): { span?: PlaceSpan } {
  const { fromTime, toTime } = filters
  const blocks = blocksOf(filters)
  const ofTime = placesBetween(asMoments(secondsOf(filters)))
  const ofBlocks = placesBetween({
    from: times.from === undefined ? { seconds: 0 } : { seconds: times.from, blockNumber: blocks.from },
    to: times.to === undefined ? { seconds: MAX_SECONDS } : { seconds: times.to, blockNumber: blocks.to },
  })
  const isBounded = [fromTime, toTime, times.from, times.to].some(bound => bound !== undefined)
  return isBounded ? { span: commonSpan(ofTime, ofBlocks) } : {}
}

const asMoments = ({ from, to }: { from: number; to: number }) => ({
  from: { seconds: from },
  to: { seconds: to },
})
