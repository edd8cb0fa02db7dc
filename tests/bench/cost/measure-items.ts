import { fileURLToPath } from 'node:url'
import { EVENT_KINDS, type EventKind } from '../../../lib/events/event-kinds.ts'
import { listPath, listsOf } from '../../../lib/events/lists.ts'
import { compareByTime, placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { readEvents } from '../../../lib/ingest/load/read-events.ts'
import { copiesOf, itemBytes, itemWriteUnits } from '../../../lib/inspect/item-cost.ts'
import { type Item, itemsFor, itemsOf } from '../../../lib/store/format/item.ts'
import { INDEXES } from '../../../lib/store/format/keys.ts'
import { readUnits } from './known-lists.ts'

/** One kind's events in one item format. All sizes are in bytes. */
export interface StoredForm {
  /** The size of an item: the median, and the 95th percentile as `most`. */
  median: number
  most: number
  /** The bytes that an event takes in all its items and index entries. */
  storage: number
  tableBytes: number
  writeUnits: number
}

export interface ItemMeasurement {
  kind: EventKind | 'all kinds'
  events: number
  packed: StoredForm
  single: StoredForm
  /** A format with one attribute for each field, under the field's full name. */
  plain: StoredForm
}

export interface PageMeasurement {
  rows: number
  packed: number
  plain: number
}

const LOGS = ['chain-logs', 'recorded'].map(name =>
  fileURLToPath(new URL(`../../../infra/local/data/${name}.ndjson`, import.meta.url)),
)
/** DynamoDB bills these additional bytes for each item, in the table and in each index. */
const ENTRY_BYTES = 100
const PAGES = [1, 50, 500]

export async function measureItems(): Promise<{ items: ItemMeasurement[]; pages: PageMeasurement[] }> {
  const records: EventRecord[] = []
  for await (const { outcome } of readEvents(LOGS)) {
    if (typeof outcome === 'object' && 'record' in outcome) records.push(outcome.record)
  }
  const measure = (kind: ItemMeasurement['kind'], some: EventRecord[]): ItemMeasurement => ({
    kind,
    events: some.length,
    packed: formOf(some, packedItems),
    single: formOf(some, singleItems),
    plain: formOf(some, plainItems),
  })
  const ofKind = (kind: EventKind) => records.filter(({ event }) => event === kind)
  const newest = ofKind('TransferSingle').sort((a, b) => compareByTime(placeOf(b), placeOf(a)))
  const unitsOf = (rows: number, itemsOf: ItemsOf) =>
    // The record after the page shows whether another page follows.
    readUnits(sum(newest.slice(0, rows + 1).map(record => itemBytes(itemsOf(record).at(-1) ?? {}))))
  return {
    items: [...EVENT_KINDS.map(kind => measure(kind, ofKind(kind))), measure('all kinds', records)],
    pages: PAGES.map(rows => ({
      rows,
      packed: unitsOf(rows, packedItems),
      plain: unitsOf(rows, plainItems),
    })),
  }
}

type ItemsOf = (record: EventRecord) => Item[]

const packedItems: ItemsOf = record => {
  const { chunks, entries } = itemsOf(record)
  return [...chunks, ...entries]
}

const singleItems: ItemsOf = record => {
  const { chunks, entries } = itemsFor([record.network])(record)
  return [...chunks, ...entries]
}

/** Version 0.1.0 stored the arrays of a record in separate items if the record's JSON had more characters than this. */
const MAX_PLAIN_BYTES = 8 * 1024

function plainItems(record: EventRecord): Item[] {
  const { id, ...all } = record
  const isLarge = JSON.stringify(record).length > MAX_PLAIN_BYTES
  const { tokenIds, quantities, bucketHash, ...short } = all as typeof all & LongFields
  const fields = isLarge ? short : all
  const long = Buffer.from(JSON.stringify({ tokenIds, quantities, bucketHash }))
  const chunk = { list: `chunks#${id}@${record.blockHash}`, place: '0000', part: long }
  // Version 0.1.0 had no lists of token ids.
  const lists = listsOf(record).filter(list => !('tokenId' in list))
  const entries = lists.map(list => {
    const path = listPath(list)
    const isOfAll = list.of === 'all' && list.event === undefined
    return {
      list: `${path}@${record.network}`,
      place: placeOf(record),
      ...fields,
      ...(list.of === 'user' && { [INDEXES.user.key]: path }),
      ...(list.of === 'token' && { [INDEXES.token.key]: path }),
      ...(isOfAll && {
        [INDEXES.transaction.key]: record.transactionHash,
        [INDEXES.block.key]: record.blockNumber,
      }),
    }
  })
  return isLarge ? [chunk, ...entries] : entries
}

interface LongFields {
  tokenIds?: unknown
  quantities?: unknown
  bucketHash?: unknown
}

function formOf(records: EventRecord[], itemsOf: ItemsOf): StoredForm {
  const items = records.flatMap(itemsOf)
  const sizes = items.map(itemBytes).sort((a, b) => a - b)
  return {
    median: sizes[Math.floor(sizes.length / 2)] ?? 0,
    most: sizes[Math.floor(sizes.length * 0.95)] ?? 0,
    storage: sum(items.map(item => copiesOf(item) * (itemBytes(item) + ENTRY_BYTES))) / records.length,
    tableBytes: sum(items.map(item => itemBytes(item) + ENTRY_BYTES)) / records.length,
    writeUnits: sum(items.map(itemWriteUnits)) / records.length,
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
