import type { Network } from '../events/networks.ts'
import { BEGINNING, endOfBlock, type Place } from '../events/place.ts'
import { namingRow } from '../query/errors.ts'
import type { EventStore } from '../query/event-store.ts'
import type { EventTable } from '../store/event-table.ts'
import { CHECKPOINTS_LIST } from '../store/format/keys.ts'
import { indexedThrough, queryCheckpoints, type StoredCheckpoint } from '../store/reading/read-checkpoints.ts'
import type { ChangeStore, Frontiers, Resting } from './change-store.ts'

/** Each read is one strongly consistent Query. It can throw `StoreUnavailableError` or `CorruptRowError`. */
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
  const row = { list: CHECKPOINTS_LIST, place: network }
  return namingRow(row, () => endOfBlock({ seconds, blockNumber, network }, 'asc'))
}

/**
 * Returns the place up to which the network can be read: its frontier, or the place of its last event if the network
 * has no frontier. A reader that has read a narrow list up to this place need not read the list again until the network
 * has another event. A request without new events therefore reads one row, however long the lists are.
 */
export async function readFrontier(
  network: Network,
  { store, frontiers }: { store: EventStore; frontiers: Frontiers },
): Promise<Place> {
  const frontier = frontiers.get(network)
  if (frontier !== undefined) return frontier
  const { rows } = await store.readList({
    list: { of: 'all' },
    network,
    where: [],
    direction: 'desc',
    limit: 1,
    select: 'places',
    isConsistent: true,
  })
  return rows[0]?.place ?? BEGINNING
}
