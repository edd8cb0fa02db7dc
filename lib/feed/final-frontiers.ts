import type { Network } from '../events/networks.ts'
import { BEGINNING, endOfBlock, type Place } from '../events/place.ts'
import type { EventStore } from '../query/event-store.ts'
import type { IndexedThrough } from '../query/indexed-through.ts'
import type { FrontierPage, Frontiers } from './change-store.ts'
import { earlier } from './feed-state.ts'

/**
 * Returns each network's frontier, but not beyond its last final block. Networks without a final block are not read.
 */
export async function finalFrontiers(
  networks: readonly Network[],
  { frontiers, indexed }: FrontierPage,
  store: EventStore,
): Promise<Frontiers> {
  const places = networks.map(async (network): Promise<[Network, Place]> => {
    const known = indexed.find(each => each.network === network)
    const final = known ? await endOfFinal(known, store) : BEGINNING
    return [network, earlier(final, frontiers.get(network) ?? final)]
  })
  return new Map(await Promise.all(places))
}

/**
 * Returns the end of a network's last final block. If this block's time is not recorded, uses the recorded time of the
 * nearest earlier block. Even then, no event of a later block can have a place before the result.
 */
async function endOfFinal(
  { network, finalizedBlock: blockNumber, finalizedTimestamp }: IndexedThrough,
  store: EventStore,
): Promise<Place> {
  if (blockNumber === undefined) return BEGINNING
  const seconds =
    finalizedTimestamp ?? (await store.readBlockTime({ network, blockNumber, side: 'before' })).seconds
  return seconds === undefined ? BEGINNING : endOfBlock({ seconds, blockNumber, network }, 'asc')
}
