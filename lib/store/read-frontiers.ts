import type { Network } from '../events/networks.ts'
import { BEGINNING, endOfBlock, type Place } from '../events/place.ts'
import type { ChangeStore, Resting } from '../query/changes/change-store.ts'
import { CorruptRowError } from '../query/errors.ts'
import type { AttributeMap, EventTable } from './event-table.ts'
import { CHECKPOINTS_LIST } from './keys.ts'
import { queryCheckpoints } from './query-checkpoints.ts'
import { indexedThrough, networkOfItem } from './read-checkpoints.ts'

/** Reads with one consistent Query how far indexers have come. Throws `StoreUnavailableError` and `CorruptRowError`. */
export const createFrontierReader =
  (table: EventTable): ChangeStore['readFrontiers'] =>
  async options => {
    const { items, ...cost } = await queryCheckpoints(table, { ...options, isConsistent: true })
    const ends = items.flatMap(endOfIndexed)
    return {
      frontiers: new Map(ends.filter(end => !end.isAtRest).map(({ network, place }) => [network, place])),
      resting: new Map(ends.filter(end => end.isAtRest).map(({ network, ...end }) => [network, end])),
      indexed: items.flatMap(indexedThrough),
      ...cost,
    }
  }

interface EndOfIndexed extends Resting {
  network: Network
  /** Whether the last indexer has ended, and left nothing unfinished. One of an earlier version says only the first. */
  isAtRest: boolean
}

/** None of a network that no indexer of ours has written. */
function endOfIndexed(item: AttributeMap): EndOfIndexed[] {
  const network = networkOfItem(item)
  if (!network || item.fence === undefined) return []
  const isAtRest = item.atRest?.BOOL === true && item.leased?.BOOL === false
  return [{ network, place: placeOfCheckpoint(network, item), fence: Number(item.fence.N), isAtRest }]
}

function placeOfCheckpoint(network: Network, item: AttributeMap): Place {
  if (item.blockNumber === undefined) return BEGINNING
  const [seconds, blockNumber] = [Number(item.timestamp?.N), Number(item.blockNumber.N)]
  try {
    return endOfBlock({ seconds, blockNumber, network, logIndex: 0 }, 'asc')
  } catch (cause) {
    throw new CorruptRowError({ list: CHECKPOINTS_LIST, place: network, cause })
  }
}
