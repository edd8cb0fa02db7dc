import { NETWORKS, type Network } from '../events/networks.ts'
import type { PlaceParts, PlaceSpan } from '../events/place.ts'
import type { EventStore } from './event-store.ts'
import type { Filters } from './filters.ts'
import type { MinBlocks } from './min-block/min-block.ts'

export interface ChainKnowledge {
  networks?: readonly Network[] | undefined
  /** For each network, the times between which all blocks of the requested span lie. */
  blockTimes?: ReadonlyMap<Network, BlockTimes>
  /** Networks without a known final block are omitted. Undefined if the query does not depend on finality. */
  finalThrough?: ReadonlyMap<Network, number> | undefined
  /** The parameter `minBlock`. On the networks that it names, lists are read consistently. */
  exact?: MinBlocks
  /** Set only if an index may lack some events of the requested transaction or block number. */
  runs?: Runs | undefined
}

/** The blocks with the requested transaction or block number. All indexes have every event of the `settled` blocks. */
export interface Runs {
  settled: readonly PlaceParts[]
  /** For each network, the places of the blocks whose events an index may lack. */
  unsettled: ReadonlyMap<Network, PlaceSpan>
}

/** Times in Unix seconds. */
export interface BlockTimes {
  from?: number | undefined
  to?: number | undefined
}

/** Reads the recorded block times around the requested span of blocks. The map is empty if there is no such span. */
export async function readBlockTimes(
  { fromBlock: [fromBlock] = [], toBlock: [toBlock] = [], network }: Filters,
  store: EventStore,
  networks: readonly Network[] = NETWORKS,
): Promise<ReadonlyMap<Network, BlockTimes>> {
  if (fromBlock === undefined && toBlock === undefined) return new Map()
  const timeOf = async (asked: Parameters<EventStore['readBlockTime']>[0]) =>
    (await store.readBlockTime(asked)).seconds
  const found = (network ?? networks).map(async (network): Promise<[Network, BlockTimes]> => {
    const [from, to] = await Promise.all([
      fromBlock === undefined ? undefined : timeOf({ network, blockNumber: fromBlock, side: 'before' }),
      toBlock === undefined ? undefined : timeOf({ network, blockNumber: toBlock, side: 'behind' }),
    ])
    return [network, { from, to }]
  })
  return new Map(await Promise.all(found))
}
