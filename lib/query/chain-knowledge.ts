import { NETWORKS, type Network } from '../events/networks.ts'
import type { PlaceParts, PlaceSpan } from '../events/place.ts'
import type { EventStore } from './event-store.ts'
import type { Filters } from './filters.ts'
import type { MinBlocks } from './min-block/min-block.ts'

/** What is known of the chains where a query is planned. */
export interface ChainKnowledge {
  /** By network, times that the blocks of the span that is asked for are not before, and not behind. */
  blockTimes?: ReadonlyMap<Network, BlockTimes>
  /** Up to which block networks are final: of those that are left out, nobody knows. Undefined where it was not asked. */
  finalThrough?: ReadonlyMap<Network, number> | undefined
  /** By network, up to which block the answer has to have every event: its lists are read consistently. */
  exact?: MinBlocks
  /** For a transaction or a block number of which an index may lack events: where they are. */
  runs?: Runs | undefined
}

/** Where the events of a transaction or a block number are: in blocks of which an index has all, and elsewhere. */
export interface Runs {
  settled: readonly PlaceParts[]
  /** By network, the places of blocks of which an index may lack events. */
  unsettled: ReadonlyMap<Network, PlaceSpan>
}

/** In Unix seconds. */
export interface BlockTimes {
  from?: number | undefined
  to?: number | undefined
}

/** Reads what has to be known of the blocks of a query's span, where it has one. */
export async function readBlockTimes(
  { fromBlock: [fromBlock] = [], toBlock: [toBlock] = [], network: networks = NETWORKS }: Filters,
  store: EventStore,
): Promise<ReadonlyMap<Network, BlockTimes>> {
  if (fromBlock === undefined && toBlock === undefined) return new Map()
  const timeOf = async (asked: Parameters<EventStore['readBlockTime']>[0]) =>
    (await store.readBlockTime(asked)).seconds
  const found = networks.map(async (network): Promise<[Network, BlockTimes]> => {
    const [from, to] = await Promise.all([
      fromBlock === undefined ? undefined : timeOf({ network, blockNumber: fromBlock, side: 'before' }),
      toBlock === undefined ? undefined : timeOf({ network, blockNumber: toBlock, side: 'behind' }),
    ])
    return [network, { from, to }]
  })
  return new Map(await Promise.all(found))
}
