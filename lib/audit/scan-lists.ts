import type { Network } from '../events/networks.ts'
import { decodePlace, type Place, type PlaceSpan } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { bucketOf, createItemDiff, createItemSums, type ItemProblem } from '../ingest/verify/compare-items.ts'
import { CorruptRowError } from '../query/errors.ts'
import type { EventTable } from '../store/event-table.ts'
import { type Contracts, isOneOf } from '../store/format/checkpoint.ts'
import { type Item, itemsFor, keyOf } from '../store/format/event-items.ts'
import { DATA, LIST_KEY, listKey, PLACE_KEY } from '../store/format/keys.ts'
import { decodeItem, type ItemPosition } from '../store/format/record-codec.ts'
import { scanEvents, scanItems } from '../store/reading/scan-table.ts'
import { checkCount, type Difference } from './difference.ts'

export interface ListScan extends EventTable {
  network: Network
  span: PlaceSpan
  contracts: Contracts
  /** The differences found so far. Further differences at the same places are not reported. */
  known: readonly Difference[]
  onProgress?: ((items: number) => void) | undefined
  mostDifferences?: number | undefined
  signal: AbortSignal
}

/**
 * Compares every list of a table with the events in the list `all`, and finds items that are missing, differ, or belong
 * to no event. Reads the whole table once, to compute a checksum of each bucket of items, and again for every 64
 * buckets whose checksums differ, so that only their items are in memory. Throws if there are too many differences.
 */
export async function scanLists(scan: ListScan): Promise<Difference[]> {
  const sums = createItemSums()
  for await (const { items } of expectedItems(scan)) for (const item of items) sums.expect(item)
  let count = 0
  for await (const item of storedItems(scan)) {
    sums.find(item)
    count += 1
    if (count % 1000 === 0) scan.onProgress?.(count)
  }
  const differences: Difference[] = []
  for (const buckets of sums.unequal()) {
    for (const difference of await explain(buckets, scan)) differences.push(difference)
    checkCount(differences, scan)
  }
  const knownPlaces = new Set(scan.known.map(({ place }) => place))
  return differences.filter(({ place }) => !knownPlaces.has(place))
}

async function* expectedItems({ network, span, contracts, signal, ...table }: ListScan) {
  const itemsOf = itemsFor(table.networks)
  for await (const record of scanEvents(table, network, { span })) {
    signal.throwIfAborted()
    if (record instanceof CorruptRowError || !isOneOf(contracts, record.address)) continue
    yield { record, items: itemsOf(record).entries }
  }
}

/** Yields the items with an audited place and contract. Also yields unreadable items, except rows of `all`. */
async function* storedItems(scan: ListScan): AsyncGenerator<Item> {
  const { network, span, contracts, signal } = scan
  const all = listKey({ of: 'all' }, network)
  const suffix = all.slice(all.indexOf('@'))
  for await (const item of scanItems(scan)) {
    signal.throwIfAborted()
    const [list, place] = [String(item[LIST_KEY]), String(item[PLACE_KEY])]
    if (!list.endsWith(suffix) || !positionOf(list, place)) continue
    if (place < span.first || place > span.last) continue
    const record = recordIn(item)
    // The comparison with the chain has already reported the unreadable rows of `all`.
    if (record ? isOneOf(contracts, record.address) : list !== all) yield item
  }
}

/** Returns an item's record, without any long field that is stored elsewhere. Undefined for invalid bytes. */
export function recordIn({
  [LIST_KEY]: list,
  [PLACE_KEY]: place,
  [DATA]: bytes,
}: Item): EventRecord | undefined {
  const position = positionOf(String(list), String(place))
  if (!position || !(bytes instanceof Uint8Array)) return undefined
  try {
    return decodeItem(Buffer.from(bytes), position).record
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

async function explain(buckets: ReadonlySet<number>, scan: ListScan): Promise<Difference[]> {
  const problems: ItemProblem[] = []
  const diff = createItemDiff(problem => problems.push(problem))
  const known = new Map<Place, EventRecord>()
  for await (const { record, items } of expectedItems(scan)) {
    for (const item of items) {
      if (!buckets.has(bucketOf(item))) continue
      diff.expect(item)
      known.set(String(item[PLACE_KEY]), record)
    }
  }
  const extra = new Map<string, EventRecord>()
  for await (const item of storedItems(scan)) {
    if (!buckets.has(bucketOf(item))) continue
    diff.find(item)
    const record = recordIn(item)
    if (record && known.get(String(item[PLACE_KEY]))?.id !== record.id) extra.set(keyOf(item), record)
  }
  diff.finish()
  return problems.flatMap(({ kind, list, place }) => {
    if (!kind) return []
    const record = (kind === 'extra' ? extra.get(`${list} ${place}`) : undefined) ?? known.get(place)
    const { id = `${list} ${place}`, address } = record ?? {}
    const { blockNumber = 0 } = decodePlace(place) ?? {}
    return [{ kind, id, place, blockNumber, fromBlock: blockNumber, address, list }]
  })
}

/** Matches a list's key, which consists of the list's path, `@` and the network's code. */
const LIST = /^(([ut])([0-9a-f]{40})(?:#(.+))?|all(?:#.+)?)@/

/** Undefined if the key does not belong to a list of events. */
function positionOf(list: string, place: Place): ItemPosition | undefined {
  const [, path, of, address, part = ''] = LIST.exec(list) ?? []
  if (path === undefined) return undefined
  const isShort = of === 't' && /^\d+$/.test(part)
  return { path, owner: address && `0x${address}`, place, isShort }
}
