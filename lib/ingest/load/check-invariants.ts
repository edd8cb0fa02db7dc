import { hash } from 'node:crypto'
import sortedBtree from 'sorted-btree'
import { type Rejection, rejected } from '../../chain/logs/raw-log.ts'
import type { Network } from '../../events/networks.ts'
import type { EventRecord } from '../../events/record.ts'

const BTree = sortedBtree.default
/** The blocks of one network, by number. */
type Chain = InstanceType<typeof BTree<number, Block>>

interface Block {
  hash: string
  createdAt: string
  events: number
}

interface SeenEvent {
  network: Network
  blockNumber: number
  /** Digests of the whole record and of its `id`. */
  record: string
  id: string
}

/** The maximum number of remembered events, which take about 200 MB of memory together with their blocks. */
const MAX_REMEMBERED_EVENTS = 400_000

/**
 * Creates a function that checks events against the invariants on which order and paging depend: a block has only one
 * hash and one timestamp; within a network, a higher block never has an earlier `createdAt`; and no two events have the
 * same `id`, or the same block and `logIndex`. Events can be passed in any order. An event that contradicts a
 * remembered event is rejected, and is not remembered. An event that equals a remembered event is a `duplicate`. Only
 * the last `maxEvents` accepted events are remembered, so a contradiction with an older event is not detected.
 */
export function createInvariantCheck({ maxEvents = MAX_REMEMBERED_EVENTS } = {}) {
  const chains = new Map<Network, Chain>()
  const seenByPosition = new Map<string, SeenEvent>()
  const seenById = new Map<string, SeenEvent>()
  let oldestFirst: MapIterator<[string, SeenEvent]> | undefined

  return function checkInvariants(record: EventRecord): 'new' | 'duplicate' | { rejection: Rejection } {
    const event = seenEvent(record)
    const position = `${record.network}:${record.blockNumber}:${record.logIndex}`
    const samePosition = seenByPosition.get(position)
    if (samePosition?.record === event.record) return 'duplicate'
    const sameId = seenById.get(event.id)
    const chain = chains.get(record.network) ?? new BTree<number, Block>()
    chains.set(record.network, chain)
    const broken =
      brokenByBlock(record, chain) ??
      (samePosition &&
        `another event already has the log index ${record.logIndex} in block ${record.blockNumber}`) ??
      (sameId && `an event of block ${sameId.blockNumber} already has the id ${record.id}`)
    if (broken) return rejected('broken-invariant', broken)

    seenByPosition.set(position, event)
    seenById.set(event.id, event)
    addToBlock(record, chain)
    if (seenByPosition.size > maxEvents) forgetOldest()
    return 'new'
  }

  function forgetOldest() {
    // All deletions use one iterator, because a new iterator would have to skip every deleted entry.
    oldestFirst ??= seenByPosition.entries()
    const { value: oldest } = oldestFirst.next()
    if (!oldest) return
    const [position, event] = oldest
    seenByPosition.delete(position)
    seenById.delete(event.id)
    removeFromBlock(event, chains.get(event.network))
  }
}

function seenEvent(record: EventRecord): SeenEvent {
  const { network, blockNumber, id } = record
  return { network, blockNumber, record: digest(JSON.stringify(record)), id: digest(id) }
}

/** Returns 72 bits of a digest. V8 copies such a short slice, so the memory of the whole digest can be freed. */
const digest = (text: string) => hash('sha1', text, 'base64url').slice(0, 12)

function brokenByBlock({ blockNumber, blockHash, createdAt }: EventRecord, chain: Chain): string | undefined {
  const known = chain.get(blockNumber)
  if (known) {
    if (known.hash !== blockHash)
      return `another event has a different hash for block ${blockNumber}: ${known.hash}`
    if (known.createdAt !== createdAt)
      return `another event has a different time for block ${blockNumber}: ${known.createdAt}`
    return undefined
  }
  const [lower, earlier] = chain.nextLowerPair(blockNumber) ?? []
  if (earlier && earlier.createdAt > createdAt) {
    return `block ${blockNumber} has the time ${createdAt}, but the lower block ${lower} has the later time ${earlier.createdAt}`
  }
  const [higher, later] = chain.nextHigherPair(blockNumber) ?? []
  if (later && later.createdAt < createdAt) {
    return `block ${blockNumber} has the time ${createdAt}, but the higher block ${higher} has the earlier time ${later.createdAt}`
  }
  return undefined
}

function addToBlock({ blockNumber, blockHash, createdAt }: EventRecord, chain: Chain) {
  const block = chain.get(blockNumber)
  if (block) block.events += 1
  else chain.set(blockNumber, { hash: blockHash, createdAt, events: 1 })
}

function removeFromBlock({ blockNumber }: SeenEvent, chain: Chain | undefined) {
  const block = chain?.get(blockNumber)
  if (!block) return
  block.events -= 1
  if (block.events === 0) chain?.delete(blockNumber)
}
