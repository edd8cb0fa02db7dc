import type { Network } from '../events/networks.ts'
import { BEGINNING, endOfBlock, type Place } from '../events/place.ts'
import { namingRow } from '../query/errors.ts'
import type { EventStore } from '../query/event-store.ts'
import type { EventTable } from '../store/event-table.ts'
import { CHECKPOINTS_LIST } from '../store/format/keys.ts'
import { indexedThrough, queryCheckpoints, type StoredCheckpoint } from '../store/reading/read-checkpoints.ts'
import type { ChangeStore, Frontiers } from './change-store.ts'

/** Each read is one strongly consistent Query, and can throw `StoreUnavailableError` or `CorruptRowError`. */
export const createFrontierReader =
  (table: EventTable): ChangeStore['readFrontiers'] =>
  async options => {
    const { checkpoints, ...cost } = await queryCheckpoints(table, { ...options, isConsistent: true })
    const resting = checkpoints.filter(({ isAtRest }) => isAtRest)
    const atWork = checkpoints.filter(({ isAtRest }) => !isAtRest)
    return {
      frontiers: new Map(atWork.map(stored => [stored.network, endOfIndexed(stored)])),
      resting: new Map(
        resting.map(stored => [stored.network, { fence: stored.fence, place: endOfIndexed(stored) }]),
      ),
      indexed: checkpoints.flatMap(indexedThrough),
      ...cost,
    }
  }

function endOfIndexed({ network, hasBlock, blockNumber, timestamp: seconds }: StoredCheckpoint): Place {
  if (!hasBlock) return BEGINNING
  const row = { list: CHECKPOINTS_LIST, place: network }
  return namingRow(row, () => endOfBlock({ seconds, blockNumber, network }, 'asc'))
}

/**
 * Returns the place up to which the network can be read: its frontier, or the place of its last event if the network
 * has no frontier. A reader that has read a narrow list up to this place need not read the list again until the network
 * has another event. If a network has no new events, a request therefore reads only one row of its lists, however long
 * they are.
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
