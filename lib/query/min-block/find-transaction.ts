import {
  blockSpan,
  decodePlace,
  encodePlace,
  type Place,
  type PlaceParts,
  type PlaceSpan,
} from '../../events/place.ts'
import type { EventStore } from '../event-store.ts'
import type { ListsPlan } from '../plan-query.ts'
import { readLists } from '../streams/read-lists.ts'
import { holdsBlock, type UnsettledBlocks } from './find-unsettled.ts'

/** A transaction was mostly indexed a moment ago: so many readings look through a thousand events or so. */
const LOOKS = 4

interface Search {
  blocks: UnsettledBlocks
  store: EventStore
  /** Where an index has the transaction on this network. */
  hints: readonly PlaceParts[]
  /** How the network's unsettled blocks are read, the newest first. */
  plan: ListsPlan
}

/**
 * Where the events of a transaction stand in a network's unsettled blocks: they are all of one block. An index may know
 * which; where the table does not confirm it, a reorganisation has taken that block back, and the newest blocks are looked
 * through. Undefined where they hold no event that matches; what a few readings do not find is left to those of the page.
 */
export async function findTransaction(
  hash: string,
  { blocks, store, hints, plan }: Search,
): Promise<PlaceSpan | undefined> {
  for (const block of hints) {
    if (!(await isStored(block, { hash, store }))) continue
    return holdsBlock(blocks, block.blockNumber) ? blockSpan(block) : undefined
  }
  return lookThrough(plan, store)
}

/** Whether an event of the transaction stands at this place now. */
async function isStored(
  place: PlaceParts,
  { hash, store }: Pick<Search, 'store'> & { hash: string },
): Promise<boolean> {
  const { network, logIndex } = place
  const { count } = await store.readList({
    list: { of: 'all' },
    network,
    where: [{ fields: ['transactionHash'], anyOf: [hash] }],
    direction: 'asc',
    after: logIndex > 0 ? encodePlace({ ...place, logIndex: logIndex - 1 }) : blockSpan(place).first,
    until: encodePlace(place),
    limit: 1,
    select: 'places',
    isConsistent: true,
  })
  return count > 0
}

/** What is left of the places once the newest have been looked through: the transaction's block, those before, or none. */
async function lookThrough(plan: ListsPlan, store: EventStore): Promise<PlaceSpan | undefined> {
  const stream = readLists(plan, {}, { store, select: 'places' })
  for (let look = 0; look < LOOKS && stream.ready() === 0 && !stream.done(); look += 1) await stream.fill(1)
  const found = blockAt(stream.peek(0))
  if (found) return blockSpan(found)
  const reached = blockAt(stream.position()?.place)
  if (stream.done() || !plan.span || !reached) return undefined
  return { first: plan.span.first, last: blockSpan(reached).last }
}

const blockAt = (place: Place | undefined) => (place === undefined ? undefined : decodePlace(place))
