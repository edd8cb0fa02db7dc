import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { recordId } from '../../../lib/events/record-fields.ts'
import type { Item } from '../../../lib/store/format/event-items.ts'
import { type IndexedSince, noteIndexed } from '../../../lib/store/format/indexed-since.ts'
import { CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'
import type { Finality } from '../oracle/oracle.ts'
import { createRandom, type Random } from '../records/random.ts'
import { arrivingItems, type LaggingTable } from './lagging-table.ts'

/**
 * Settled blocks were indexed at least `SETTLED_MS` ago, and their items have arrived in the indexes. Newer blocks were
 * indexed at most `LATE_MS` ago, so some of their items may not have arrived yet.
 */
const SETTLED_MS = 13 * 60_000
const LATE_MS = 11 * 60_000

/** The events of a block. */
type Block = EventRecord[]

export interface LaggingNetworks {
  /** The last indexed blocks. */
  indexed: Partial<Record<Network, number>>
  finality: Finality
  /** Networks with items that may not have arrived yet. All items of other networks have arrived. */
  lagging: readonly Network[]
}

/**
 * Stores events and checkpoints as if indexers had run until `nowMs`. All items of settled blocks arrive in the
 * indexes. For a lagging network, only some items of newer blocks arrive: either those of the first blocks, or random
 * ones. Items that a reorganisation removed may still be visible.
 */
export async function storeLate(
  records: readonly EventRecord[],
  { table, seed, nowMs }: { table: LaggingTable; seed: number; nowMs: number },
): Promise<LaggingNetworks> {
  const random = createRandom(seed)
  const indexed: LaggingNetworks['indexed'] = {}
  const finality: Finality = {}
  const lagging: Network[] = []
  await table.store(records)
  for (const network of NETWORKS) {
    const blocks = blocksOf(records.filter(record => record.network === network))
    const last = blocks.at(-1)
    const settled = random.below(blocks.length + 1)
    const late = blocks.slice(settled)
    const state = random.pick(['lagging', 'lagging', 'lagging', 'whole', 'begun', 'unknown'] as const)
    await table.arrive(arrivingItems(blocks.slice(0, state === 'lagging' ? settled : undefined).flat()))
    if (state === 'begun') await table.storeItems([checkpointItem(network, { fence: 1 })])
    if (!last || state === 'begun' || state === 'unknown') continue
    const { blockNumber: finalizedBlock } = headerOf(random.pick(blocks))
    const known = {
      ...(random.chance(0.7) && { finalizedBlock }),
      ...(random.chance(0.7) && { indexedSince: notesOf(blocks, { settled, nowMs, random }) }),
    }
    await table.storeItems([checkpointItem(network, { ...headerOf(last), ...known })])
    await table.arrive([checkpointItem(network, headerOf(random.pick(blocks)))])
    indexed[network] = headerOf(last).blockNumber
    if (known.finalizedBlock !== undefined) finality[network] = finalizedBlock
    if (state !== 'lagging') continue
    lagging.push(network)
    await arriveLate(late, { table, random })
  }
  return { indexed, finality, lagging }
}

function blocksOf(records: readonly EventRecord[]): Block[] {
  const sorted = records.toSorted((a, b) => a.blockNumber - b.blockNumber)
  return [...Map.groupBy(sorted, ({ blockNumber }) => blockNumber).values()]
}

function headerOf(block: Block) {
  const [{ blockNumber, blockHash, createdAt }] = block as [EventRecord]
  return { blockNumber, blockHash, timestamp: Date.parse(createdAt) / 1000 }
}

interface Noting {
  settled: number
  nowMs: number
  random: Random
}

/** Each note says when a block was indexed. Between two notes, the checkpoint advances by one or more blocks. */
function notesOf(blocks: readonly Block[], { settled, nowMs, random }: Noting): IndexedSince | undefined {
  let before: (ReturnType<typeof headerOf> & { indexedSince: IndexedSince }) | undefined
  for (const [index, block] of blocks.entries()) {
    const isLast = index === blocks.length - 1 || index === settled - 1
    if (!isLast && random.chance(0.3)) continue
    const lateMs = (LATE_MS * (blocks.length - 1 - index)) / (blocks.length - settled)
    const agoMs = index < settled ? SETTLED_MS * (settled - index) : lateMs
    const header = headerOf(block)
    before = { ...header, indexedSince: noteIndexed(before, header, nowMs - agoMs) }
  }
  return before?.indexedSince
}

export const checkpointItem = (network: Network, attributes: Item): Item => ({
  [LIST_KEY]: CHECKPOINTS_LIST,
  [PLACE_KEY]: network,
  ...attributes,
})

/** Some items of the newest blocks and all items of some orphaned events arrive in the indexes. */
async function arriveLate(
  late: readonly Block[],
  { table, random }: { table: LaggingTable; random: Random },
) {
  const share = random.pick([0, 0.5, 0.9])
  const arrived = random.chance(0.6)
    ? arrivingItems(late.flat()).filter(() => random.chance(share))
    : arrivingItems(late.slice(0, random.below(late.length + 1)).flat())
  for (const orphan of orphansOf(late, random)) await table.arrive(arrivingItems([orphan]))
  await table.arrive(arrived)
}

/** Events whose transactions were mined again in a different block after a reorganisation. */
function orphansOf(late: readonly Block[], random: Random): EventRecord[] {
  if (late.length === 0) return []
  return Array.from({ length: random.below(4) }, () => {
    const record = random.pick(random.pick(late))
    const { blockNumber, createdAt } = random.pick(random.pick(late))
    const block = { blockNumber, createdAt, blockHash: `0x${'0f'.repeat(32)}` }
    const orphan = { ...record, ...block, logIndex: random.below(3) }
    return { ...orphan, id: recordId(orphan) }
  })
}
