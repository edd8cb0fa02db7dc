import type { Network } from '../../events/networks.ts'
import { BEGINNING, type Place } from '../../events/place.ts'
import type { EventStore } from '../event-store.ts'
import { isSurelyDead, loadsAfter } from './apply-rewinds.ts'
import type { ChangeScope } from './change.ts'
import type { ChangeStore, Frontiers } from './change-store.ts'
import type { FeedState, OpenLoad, Places } from './feed-state.ts'
import { holdBack } from './hold-back.ts'

/** The newest entries that can be of a load which is still at work: it announces itself every few seconds. */
const NEWEST_ENTRIES = 50

interface Start {
  scope: ChangeScope
  /** In milliseconds. */
  now: number
}

interface Stores {
  store: EventStore
  changeStore: ChangeStore
}

/**
 * The state of a reader who has all events still before it, and all that the log tells: it may have applied what an
 * earlier cursor of the same kind told, and lost that cursor.
 */
export function startAtBeginning({ networks }: ChangeScope): FeedState {
  const places = Object.fromEntries(networks.map(network => [network, BEGINNING]))
  return { seen: 0, reported: 0, places, loads: [], isNew: true }
}

/** The state of a reader who knows all events that are stored now, and wants to be told of what happens to them. */
export async function startNow(start: Start, { store, changeStore }: Stores): Promise<FeedState> {
  // Before the places: what happens between the two readings is told once more, and not missed.
  const log = await readLog(start, changeStore)
  const before = await changeStore.readFrontiers()
  const { frontiers, resting } = before
  const places: Places = {}
  for (const network of start.scope.networks) places[network] = await lastPlace(network, { store, frontiers })
  const held = resting.size > 0 ? holdBack(places, before, await changeStore.readFrontiers()) : places
  return { ...log, places: held, isNew: false }
}

async function readLog({ now }: Start, changeStore: ChangeStore) {
  const { rewinds } = await changeStore.readNewestRewinds({ limit: NEWEST_ENTRIES })
  const loads = rewinds
    .toReversed()
    .filter(rewind => !isSurelyDead(rewind, now))
    .reduce((open: readonly OpenLoad[], rewind) => loadsAfter(open, rewind, now), [])
  return { seen: rewinds[0]?.number ?? 0, reported: 0, loads }
}

/** The place of the last event that the network has, of those that are settled. */
async function lastPlace(
  network: Network,
  { store, frontiers }: Pick<Stores, 'store'> & { frontiers: Frontiers },
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
