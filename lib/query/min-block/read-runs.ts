import type { EventList } from '../../events/lists.ts'
import type { Network } from '../../events/networks.ts'
import { commonSpan, MAX_SECONDS, type PlaceSpan, placesBetween } from '../../events/place.ts'
import { type Runs, readBlockTimes } from '../chain-knowledge.ts'
import { candidateLists, kindsOf } from '../choose-lists.ts'
import type { EventStore } from '../event-store.ts'
import type { Filters } from '../filters.ts'
import type { IndexedThrough } from '../indexed-through.ts'
import { type ListsPlan, planQuery } from '../plan-query.ts'
import type { Order } from '../query.ts'
import { findRuns } from '../streams/read-block-runs.ts'
import { findTransaction } from './find-transaction.ts'
import { findUnsettled, holdsBlock, type UnsettledBlocks } from './find-unsettled.ts'
import type { MinBlocks } from './min-block.ts'

interface Known {
  store: EventStore
  minBlocks: MinBlocks
  indexed: readonly IndexedThrough[]
  finalThrough: ReadonlyMap<Network, number>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Undefined if an index has all events of the requested transaction or block number. */
export async function readRuns(filters: Filters, known: Known): Promise<Runs | undefined> {
  const { store, finalThrough, now } = known
  const unsettled = findUnsettled(filters, {
    ...known,
    finalThrough: filters.finalized && finalThrough,
    now: now() / 1000,
  })
  if (unsettled.size === 0) return undefined
  const list = listOfBlock(filters)
  const runs = await findRuns(list, store)

  async function spanIn(network: Network, blocks: UnsettledBlocks): Promise<PlaceSpan | undefined> {
    if (list.of === 'block') return spanOfBlock(list.blockNumber, { network, blocks, store })
    const plan = planUnsettled(filters, { network, blocks, finalThrough })
    const hints = runs.filter(run => run.network === network)
    return plan && findTransaction(list.hash, { blocks, hints, plan, store })
  }

  const spans = [...unsettled].map(async ([network, blocks]): Promise<[Network, PlaceSpan][]> => {
    const span = await spanIn(network, blocks)
    return span ? [[network, span]] : []
  })
  return {
    settled: runs.filter(run => !holdsBlock(unsettled.get(run.network), run.blockNumber)),
    unsettled: new Map((await Promise.all(spans)).flat()),
  }
}

function listOfBlock(filters: Filters): Extract<EventList, { of: 'transaction' | 'block' }> {
  const [list] = candidateLists(filters, kindsOf(filters))
  if (list?.of === 'transaction' || list?.of === 'block') return list
  throw new TypeError('The query must have a transaction or a block number')
}

const NEWEST_FIRST: Order = { by: 'time', direction: 'desc', ties: 'desc' }

interface UnsettledOf {
  network: Network
  blocks: UnsettledBlocks
}

function planUnsettled(
  filters: Filters,
  { network, blocks, finalThrough }: UnsettledOf & Pick<Known, 'finalThrough'>,
): ListsPlan | undefined {
  const runs = { settled: [], unsettled: new Map([[network, blocks.span]]) }
  const plan = planQuery({ filters, order: NEWEST_FIRST }, { finalThrough, runs })
  return plan.read === 'merge' ? plan.parts[0] : undefined
}

/** The nearest recorded block times on both sides limit the span of places that can contain the block's events. */
async function spanOfBlock(
  blockNumber: number,
  { network, blocks, store }: UnsettledOf & Pick<Known, 'store'>,
): Promise<PlaceSpan> {
  const block = [blockNumber]
  const times = await readBlockTimes({ fromBlock: block, toBlock: block, network: [network] }, store)
  const { from = 0, to = MAX_SECONDS } = times.get(network) ?? {}
  return commonSpan(
    blocks.span,
    placesBetween({ from: { seconds: from, blockNumber }, to: { seconds: to, blockNumber } }),
  )
}
