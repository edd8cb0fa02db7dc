import type { Network } from '../events/networks.ts'
import { BEGINNING, type Place } from '../events/place.ts'
import type { EventStore } from '../query/event-store.ts'
import type { Frontiers } from './change-store.ts'

/**
 * Returns the place up to which the network can be read: its frontier or, if no indexer is running, the place of its
 * last event. Whoever reads a narrow list up to this place need not read the list again until the network has another
 * event, so a reader without news costs one row, however long the lists are.
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
