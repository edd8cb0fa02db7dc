import type { Network } from '../events/networks.ts'
import { BEGINNING, endOfBlock, type Place } from '../events/place.ts'
import { CorruptRowError } from '../query/errors.ts'
import type { EventTable } from '../store/event-table.ts'
import { CHECKPOINTS_LIST } from '../store/format/keys.ts'
import { indexedThrough, queryCheckpoints, type StoredCheckpoint } from '../store/reading/read-checkpoints.ts'
import type { ChangeStore, Resting } from './change-store.ts'

/**
 * Creates a reader of the networks' frontiers (see `Frontiers`). A read is one consistent Query. Throws
 * `StoreUnavailableError` and `CorruptRowError`.
 */
export const createFrontierReader =
  (table: EventTable): ChangeStore['readFrontiers'] =>
  async options => {
    const { checkpoints, ...cost } = await queryCheckpoints(table, { ...options, isConsistent: true })
    const ends = checkpoints.filter(({ hasLease }) => hasLease).map(endOfIndexed)
    return {
      frontiers: new Map(ends.filter(end => !end.isAtRest).map(({ network, place }) => [network, place])),
      resting: new Map(ends.filter(end => end.isAtRest).map(({ network, ...end }) => [network, end])),
      indexed: checkpoints.flatMap(indexedThrough),
      ...cost,
    }
  }

interface EndOfIndexed extends Resting {
  network: Network
  isAtRest: boolean
}

const endOfIndexed = (stored: StoredCheckpoint): EndOfIndexed => ({
  network: stored.network,
  place: endOfCheckpoint(stored),
  fence: stored.fence,
  isAtRest: stored.isAtRest,
})

function endOfCheckpoint({ network, hasBlock, blockNumber, timestamp: seconds }: StoredCheckpoint): Place {
  if (!hasBlock) return BEGINNING
  try {
    return endOfBlock({ seconds, blockNumber, network }, 'asc')
  } catch (cause) {
    throw new CorruptRowError({ list: CHECKPOINTS_LIST, place: network, cause })
  }
}
