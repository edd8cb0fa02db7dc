import { NETWORKS, type Network } from '../events/networks.ts'
import { MAX_BLOCK_NUMBER, MAX_SECONDS } from '../events/place.ts'
import type { EventStore } from '../query/event-store.ts'
import type { IndexedThrough, ReadIndexedThrough } from '../query/indexed-through.ts'
import type { AttributeMap, EventTable } from './event-table.ts'
import { isCount, notesIn } from './indexed-since.ts'
import { PLACE_KEY } from './keys.ts'
import { queryCheckpoints } from './query-checkpoints.ts'

/** Reads the checkpoints of all networks with one Query of half a read unit or a whole one. Throws `StoreUnavailableError`. */
export function createCheckpointReader(table: EventTable): ReadIndexedThrough {
  return async () => {
    const { items, ...cost } = await queryCheckpoints(table)
    return { networks: items.flatMap(indexedThrough), ...cost }
  }
}

/** Reads the checkpoints as they are stored at this moment, at twice the price. Throws `StoreUnavailableError`. */
export const createCurrentCheckpointReader =
  (table: EventTable): EventStore['readCheckpoints'] =>
  async options => {
    const { items, ...cost } = await queryCheckpoints(table, { ...options, isConsistent: true })
    const written = new Set(items.flatMap(item => networkOfItem(item) ?? []))
    return { written, indexed: items.flatMap(indexedThrough), ...cost }
  }

/** How far a network is indexed, by its item; nothing where no block is yet. */
export function indexedThrough(item: AttributeMap): IndexedThrough[] {
  const network = networkOfItem(item)
  const blockNumber = Number(item.blockNumber?.N)
  const timestamp = Number(item.timestamp?.N)
  // No block is indexed yet, or what stands there is somebody else's.
  if (!network || !isCount(blockNumber, MAX_BLOCK_NUMBER) || !isCount(timestamp, MAX_SECONDS)) return []
  const indexed = { network, blockNumber, timestamp, notes: notesIn(item) }
  const finalizedBlock = Number(item.finalizedBlock?.N)
  if (!isCount(finalizedBlock, Number.MAX_SAFE_INTEGER)) return [indexed]
  // The chain is final further than it is indexed while an indexer catches up.
  if (finalizedBlock >= blockNumber) {
    return [{ ...indexed, finalizedBlock: blockNumber, finalizedTimestamp: timestamp }]
  }
  const finalizedTimestamp = Number(item.finalizedTimestamp?.N)
  return [
    {
      ...indexed,
      finalizedBlock,
      ...(isCount(finalizedTimestamp, MAX_SECONDS) && { finalizedTimestamp }),
    },
  ]
}

/** The network that a checkpoint's item is of. */
export const networkOfItem = (item: AttributeMap): Network | undefined =>
  NETWORKS.find(known => known === item[PLACE_KEY]?.S)
