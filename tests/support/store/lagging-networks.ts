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
 * Settled blocks were indexed between `LONG_AGO_MS` and `SETTLED_MS` ago, and their items have arrived in the indexes.
 * Newer blocks were indexed at most `LATE_MS` ago, so some of their items may not have arrived yet.
 */
const LONG_AGO_MS = 3 * 3_600_000
const SETTLED_MS = 13 * 60_000
const LATE_MS = 11 * 60_000

interface Block {
  blockNumber: number
  blockHash: string
  timestamp: number
  records: EventRecord[]
}

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
    await table.arrive(arrivingItems(blocks.slice(0, settled).flatMap(block => block.records)))
    const state = random.pick(['lagging', 'lagging', 'lagging', 'whole', 'begun', 'unknown'] as const)
    if (!last || state !== 'lagging') await table.arrive(arrivingItems(late.flatMap(block => block.records)))
    if (state === 'begun') await table.storeItems([checkpointItem(network, { fence: 1 })])
    if (!last || state === 'begun' || state === 'unknown') continue
    const final = random.chance(0.7) ? random.pick(blocks).blockNumber : undefined
    const isNoted = random.chance(0.7)
    const indexedSince = isNoted ? notesOf(blocks, { settled, nowMs, random }) : undefined
    await table.storeItems([checkpointOf(network, last, { final, indexedSince })])
    await table.arrive([checkpointOf(network, random.pick(blocks))])
    indexed[network] = last.blockNumber
    if (final !== undefined) finality[network] = final
    if (state === 'lagging') {
      lagging.push(network)
      await arriveLate(late, { table, random })
    }
  }
  return { indexed, finality, lagging }
}

function blocksOf(records: readonly EventRecord[]): Block[] {
  return [...Map.groupBy(records, ({ blockNumber }) => blockNumber)]
    .map(([blockNumber, ofBlock]) => ({
      blockNumber,
      blockHash: ofBlock[0]?.blockHash ?? '',
      timestamp: Date.parse(ofBlock[0]?.createdAt ?? '') / 1000,
      records: ofBlock,
    }))
    .toSorted((a, b) => a.blockNumber - b.blockNumber)
}

interface Noting {
  settled: number
  nowMs: number
  random: Random
}

/** Each note says when a block was indexed. Between two notes, the checkpoint advances by one or more blocks. */
function notesOf(blocks: readonly Block[], { settled, nowMs, random }: Noting): IndexedSince | undefined {
  let before: (Block & { indexedSince: IndexedSince | undefined }) | undefined
  for (const [index, block] of blocks.entries()) {
    const isLast = index === blocks.length - 1
    const isLastSettled = index === settled - 1
    if (!isLast && !isLastSettled && random.chance(0.3)) continue
    const [from, to] = index < settled ? [LONG_AGO_MS, SETTLED_MS] : [LATE_MS, 0]
    const [part, parts] =
      index < settled ? [index + 1, settled] : [index - settled + 1, blocks.length - settled]
    const atMs = nowMs - from + ((from - to) * part) / parts
    before = { ...block, indexedSince: noteIndexed(before, block, atMs) }
  }
  return before?.indexedSince
}

interface Known {
  final?: number | undefined
  indexedSince?: IndexedSince | undefined
}

const checkpointOf = (
  network: Network,
  { records: _, ...block }: Block,
  { final, indexedSince }: Known = {},
): Item =>
  checkpointItem(network, {
    ...block,
    ...(final !== undefined && { finalizedBlock: final }),
    ...(indexedSince && { indexedSince }),
  })

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
  const first = random.below(late.length + 1)
  const isWithGaps = random.chance(0.6)
  const arrived = isWithGaps
    ? arrivingItems(late.flatMap(({ records }) => records)).filter(() => random.chance(share))
    : arrivingItems(late.slice(0, first).flatMap(({ records }) => records))
  const keys = new Set(arrived.map(keyOf))
  const orphans = distinct(arrivingItems(orphansOf(late, random))).filter(item => !keys.has(keyOf(item)))
  await table.arrive([...arrived, ...orphans])
}

const keyOf = (item: Item) => `${item[LIST_KEY]} ${item[PLACE_KEY]}`

const distinct = (items: Item[]): Item[] => [...new Map(items.map(item => [keyOf(item), item])).values()]

/** Events whose transactions were mined again in a different block after a reorganisation. */
function orphansOf(late: readonly Block[], random: Random): EventRecord[] {
  if (late.length === 0) return []
  return Array.from({ length: random.below(4) }, () => {
    const { records } = random.pick(late)
    const before = random.pick(late)
    const record = random.pick(records)
    const orphan = {
      ...record,
      blockNumber: before.blockNumber,
      blockHash: `0x${'0f'.repeat(32)}`,
      createdAt: new Date(before.timestamp * 1000).toISOString(),
      logIndex: random.below(3),
    }
    return { ...orphan, id: recordId(orphan) }
  })
}
