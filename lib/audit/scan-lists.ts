import type { Network } from '../events/networks.ts'
import { decodePlace, type Place, type PlaceSpan } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { bucketOf, createItemDiff, createItemSums, type ItemProblem } from '../ingest/verify/compare-items.ts'
import { CorruptRowError } from '../query/errors.ts'
import type { EventTable } from '../store/event-table.ts'
import { type Contracts, isOneOf } from '../store/format/checkpoint.ts'
import { type Item, itemsFor } from '../store/format/item.ts'
import { DATA, LIST_KEY, listKey, PLACE_KEY } from '../store/format/keys.ts'
import { decodeItem, type ItemPosition } from '../store/format/record-codec.ts'
import { scanEvents, scanItems } from '../store/reading/scan-table.ts'
import { checkCount, type Difference } from './difference.ts'

/** The number of differing buckets whose items are in memory at the same time. */
const BUCKETS_AT_ONCE = 64

export interface ListScan extends EventTable {
  network: Network
  /** The audited places. */
  span: PlaceSpan
  contracts: Contracts
  /** The differences found so far. A further difference at the place of one of these is not reported. */
  known: readonly Difference[]
  onProgress?: ((items: number) => void) | undefined
  /** As in `AuditRun`. */
  mostDifferences?: number | undefined
  signal: AbortSignal
}

/**
 * Compares every list of a table with the events in the list `all`. Finds items that are missing, that differ, or that
 * belong to no event. Reads the whole table once, then again for every 64 buckets that differ. Memory does not grow
 * with the table. Throws `TooManyDifferencesError`.
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
  const unequal = [...sums.unequal()]
  for (let start = 0; start < unequal.length; start += BUCKETS_AT_ONCE) {
    const buckets = new Set(unequal.slice(start, start + BUCKETS_AT_ONCE))
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

/**
 * Yields the items of the network's lists whose places are audited, including unreadable items. Leaves out unreadable
 * rows of `all`.
 */
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
    // An unreadable row of `all` is already reported as a difference.
    if (record ? isOneOf(contracts, record.address) : list !== all) yield item
  }
}

/**
 * Decodes the record in an item, without a long field that is stored in other items. Returns undefined if the item's
 * bytes are not a record.
 */
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

/** Reads the differing buckets again, and reports each difference. */
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
    const found = extra.get(`${list} ${place}`)
    const record = (kind === 'extra' ? found : undefined) ?? known.get(place)
    const { id = `${list} ${place}`, address } = record ?? {}
    const { blockNumber = 0 } = decodePlace(place) ?? {}
    return [{ kind, id, place, blockNumber, fromBlock: blockNumber, address, list }]
  })
}

const keyOf = (item: Item) => `${item[LIST_KEY]} ${item[PLACE_KEY]}`

/** Matches the key of a list: the path of the list, then the code of the network. */
const LIST = /^(([ut])([0-9a-f]{40})(?:#(.+))?|all(?:#.+)?)@/

/**
 * Returns the list and the place of an item, read from the item's key. Returns undefined if the key belongs to no list
 * of events.
 */
function positionOf(list: string, place: Place): ItemPosition | undefined {
  const [, path, of, address, part = ''] = LIST.exec(list) ?? []
  if (path === undefined) return undefined
  const isShort = of === 't' && /^\d+$/.test(part)
  return { path, owner: address && `0x${address}`, place, isShort }
}
