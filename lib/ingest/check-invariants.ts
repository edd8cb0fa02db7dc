import { hash } from 'node:crypto'
import sortedBtree from 'sorted-btree'
import type { Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import { type Rejection, rejected } from './rejection.ts'

const BTree = sortedBtree.default
/** Blocks of one network by number. */
type Chain = InstanceType<typeof BTree<number, Block>>

interface Block {
  hash: string
  createdAt: string
  /** How many remembered events it has. */
  events: number
}

interface SeenEvent {
  network: Network
  blockNumber: number
  /** Digests of the whole record and of its `id`. */
  record: string
  id: string
}

/** So many events are remembered, with their blocks: about 200 MB. */
const MAX_REMEMBERED_EVENTS = 400_000

/**
 * Checks, event by event and in whatever order they come, what Order and paging rely on: one block has one
 * hash and one timestamp, within a network `createdAt` never falls as `blockNumber` rises, and no two
 * events share block and `logIndex`, or `id`. An event that contradicts an earlier one is rejected and
 * takes no part in later checks; one that was seen in just the same form is a `duplicate`.
 *
 * The last `maxEvents` events are remembered; a contradiction to one before those is not seen.
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
    const chain = chains.get(record.network) ?? new BTree<number, Block>()
    chains.set(record.network, chain)
    const broken =
      brokenByBlock(record, chain) ??
      (samePosition &&
        `another event was seen at log index ${record.logIndex} of block ${record.blockNumber}`) ??
      brokenById(record, seenById.get(event.id))
    if (broken) return rejected('broken-invariant', broken)

    seenByPosition.set(position, event)
    seenById.set(event.id, event)
    addToBlock(record, chain)
    if (seenByPosition.size > maxEvents) forgetOldest()
    return 'new'
  }

  function forgetOldest() {
    // One iterator for good: a new one would have to pass over all that was deleted before.
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

/** 72 bits; V8 makes a copy of so short a piece and lets go of the rest. */
const digest = (text: string) => hash('sha1', text, 'base64url').slice(0, 12)

function brokenByBlock({ blockNumber, blockHash, createdAt }: EventRecord, chain: Chain): string | undefined {
  const known = chain.get(blockNumber)
  if (known) {
    if (known.hash !== blockHash) return `block ${blockNumber} was seen with the hash ${known.hash}`
    if (known.createdAt !== createdAt) return `block ${blockNumber} was seen with the time ${known.createdAt}`
    return undefined
  }
  const [lower, earlier] = chain.nextLowerPair(blockNumber) ?? []
  if (earlier && earlier.createdAt > createdAt) {
    return `block ${blockNumber} is of ${createdAt}, but the lower block ${lower} of ${earlier.createdAt}`
  }
  const [higher, later] = chain.nextHigherPair(blockNumber) ?? []
  if (later && later.createdAt < createdAt) {
    return `block ${blockNumber} is of ${createdAt}, but the higher block ${higher} of ${later.createdAt}`
  }
  return undefined
}

function brokenById({ id }: EventRecord, sameId: SeenEvent | undefined): string | undefined {
  return sameId && `${id} was seen in block ${sameId.blockNumber}`
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
