import type { Network } from '../../events/networks.ts'
import type { Place } from '../../events/place.ts'
import type { FrontierPage } from './change-store.ts'
import { goBack, type Places } from './feed-state.ts'

/**
 * Networks at rest are read to their end. Where an indexer has begun since, it may have stored a later event before an
 * earlier one, so their readers come back to where it began; what they know from behind that is told once more.
 */
export function holdBack(places: Places, before: FrontierPage, now: FrontierPage): Places {
  const disturbed = [...before.resting].filter(
    ([network, { fence }]) => now.resting.get(network)?.fence !== fence,
  )
  return goBack(
    places,
    Object.fromEntries(disturbed.map(([network, { place }]): [Network, Place] => [network, place])),
  )
}

/** Whether a network at rest was read on, so that the frontiers have to be read once more. */
export const hasReadResting = (before: Places, after: Places, { resting }: FrontierPage): boolean =>
  [...resting.keys()].some(network => before[network] !== after[network])
