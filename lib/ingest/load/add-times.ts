import { hasTime, type Rejection, rejected } from '../../chain/logs/raw-log.ts'
import type { FindBlocks, TimedBlock } from './block-list.ts'

/** The number of entries whose blocks are looked up together, because nodes accept batches of this size. */
const ENTRIES_AT_ONCE = 100

export type ParsedEntry<Place> = Place & ({ value: unknown } | { rejection: Rejection })

/**
 * Adds the block's time to each log without a time. Rejects a log whose `blockHash` is not the found block's hash. A
 * log whose block is unknown stays unchanged.
 */
export async function* addTimes<Place>(
  entries: AsyncIterable<ParsedEntry<Place>>,
  findBlocks: FindBlocks,
): AsyncGenerator<ParsedEntry<Place>> {
  let waiting: ParsedEntry<Place>[] = []
  let known = new Map<number, TimedBlock>()

  async function* flush() {
    const wanted = new Set(waiting.flatMap(entry => blockNumberOf(entry) ?? []))
    // Blocks that this batch shares with the previous batch are kept, so that they need not be looked up again.
    known = new Map([...known].filter(([number]) => wanted.has(number)))
    const unknown = [...wanted].filter(number => !known.has(number))
    for (const block of unknown.length > 0 ? await findBlocks(unknown) : []) known.set(block.number, block)
    for (const entry of waiting) yield timed(entry, known)
    waiting = []
  }

  for await (const entry of entries) {
    waiting.push(entry)
    if (waiting.length >= ENTRIES_AT_ONCE) yield* flush()
  }
  yield* flush()
}

/** The block number of a log without a time. Undefined for any other entry. */
function blockNumberOf(entry: ParsedEntry<unknown>): number | undefined {
  if ('rejection' in entry || typeof entry.value !== 'object' || entry.value === null) return undefined
  const { blockNumber, blockTimestamp } = entry.value as Record<string, unknown>
  if (hasTime({ blockTimestamp })) return undefined
  const number = /^(\d+|0x[0-9a-f]+)$/i.test(String(blockNumber)) ? Number(blockNumber) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

function timed<Place>(
  entry: ParsedEntry<Place>,
  blocks: ReadonlyMap<number, TimedBlock>,
): ParsedEntry<Place> {
  const number = blockNumberOf(entry)
  const block = number === undefined ? undefined : blocks.get(number)
  if (!block || 'rejection' in entry) return entry
  const log = entry.value as Record<string, unknown>
  if (String(log.blockHash).toLowerCase() !== block.hash) {
    return {
      ...entry,
      ...rejected(
        'broken-invariant',
        `the hash of block ${number} is ${block.hash}, which differs from the log's blockHash`,
      ),
    }
  }
  return { ...entry, value: { ...log, blockTimestamp: block.timestamp } }
}
