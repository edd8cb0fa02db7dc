import {
  blockSpan,
  decodePlace,
  encodePlace,
  type Place,
  type PlaceParts,
  type PlaceSpan,
} from '../../events/place.ts'
import { equalsOneOf } from '../condition.ts'
import type { EventStore } from '../event-store.ts'
import type { ListsPlan } from '../plan-query.ts'
import { readLists } from '../streams/read-lists.ts'
import { holdsBlock, type UnsettledBlocks } from './find-unsettled.ts'

/**
 * The maximum number of reads that search the newest blocks. Together, these reads examine about 1,000 events, and find
 * most transactions, because most requested transactions are new.
 */
const LOOKS = 4

interface Search {
  blocks: UnsettledBlocks
  store: EventStore
  /** The transaction's places on this network, according to an index. */
  hints: readonly PlaceParts[]
  /** The plan that reads the network's `blocks`, newest first. */
  plan: ListsPlan
}

/**
 * Finds, among a network's unsettled blocks, the block that contains all events of a transaction. If an index names a
 * block, one read of the table must confirm it, because a reorganisation may have removed the block. If no block is
 * confirmed, a few reads search the newest blocks. If these reads find no match, returns the blocks that remain to be
 * searched. Returns undefined if no unsettled block can match.
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

async function isStored(
  place: PlaceParts,
  { hash, store }: Pick<Search, 'store'> & { hash: string },
): Promise<boolean> {
  const { network, logIndex } = place
  const { count } = await store.readList({
    list: { of: 'all' },
    network,
    where: [equalsOneOf(['transactionHash'], [hash])],
    direction: 'asc',
    after: logIndex > 0 ? encodePlace({ ...place, logIndex: logIndex - 1 }) : blockSpan(place).first,
    until: encodePlace(place),
    limit: 1,
    select: 'places',
    isConsistent: true,
  })
  return count > 0
}

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
