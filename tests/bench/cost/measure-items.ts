import { fileURLToPath } from 'node:url'
import { EVENT_KINDS, type EventKind } from '../../../lib/events/event-kinds.ts'
import { compareByTime, placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { readEvents } from '../../../lib/ingest/load/read-events.ts'
import { copiesOf, itemBytes, itemWriteUnits } from '../../../lib/inspect/item-cost.ts'
import { type Item, itemsFor, itemsOf } from '../../../lib/store/format/event-items.ts'
import { median, quantile } from '../recorded/report.ts'
import { readUnits } from './known-lists.ts'

/** One kind's events in one item format. All sizes are in bytes. */
export type StoredForm = ReturnType<typeof formOf>

const LOGS = ['chain-logs', 'recorded'].map(name =>
  fileURLToPath(new URL(`../../../infra/local/data/${name}.ndjson`, import.meta.url)),
)
/** DynamoDB bills these additional bytes for each item, in the table and in each index. */
const ENTRY_BYTES = 100
const PAGES = [1, 50, 500]

export async function measureItems() {
  const records: EventRecord[] = []
  for await (const { outcome } of readEvents(LOGS)) {
    if (typeof outcome === 'object' && 'record' in outcome) records.push(outcome.record)
  }
  const measure = (kind: EventKind | 'all kinds', some: EventRecord[]) => ({
    kind,
    events: some.length,
    packed: formOf(some, packedItems),
    single: formOf(some, singleItems),
  })
  const ofKind = (kind: EventKind) => records.filter(({ event }) => event === kind)
  const newest = ofKind('TransferSingle').sort((a, b) => compareByTime(placeOf(b), placeOf(a)))
  const unitsOf = (rows: number) =>
    // The record after the page shows whether another page follows.
    readUnits(sum(newest.slice(0, rows + 1).map(record => itemBytes(packedItems(record).at(-1) ?? {}))))
  return {
    items: [...EVENT_KINDS.map(kind => measure(kind, ofKind(kind))), measure('all kinds', records)],
    pages: PAGES.map(rows => ({ rows, readUnits: unitsOf(rows) })),
  }
}

const allOf = ({ chunks, entries }: ReturnType<typeof itemsOf>): Item[] => [...chunks, ...entries]

const packedItems = (record: EventRecord) => allOf(itemsOf(record))

const singleItems = (record: EventRecord) => allOf(itemsFor([record.network])(record))

function formOf(records: EventRecord[], itemsOf: typeof packedItems) {
  const items = records.flatMap(itemsOf)
  const sizes = items.map(itemBytes)
  return {
    /** The size of an item: the median, and the 95th percentile as `most`. */
    median: median(sizes),
    most: quantile(sizes, 0.95),
    /** The bytes that an event takes in all its items and index entries. */
    storage: sum(items.map(item => copiesOf(item) * (itemBytes(item) + ENTRY_BYTES))) / records.length,
    tableBytes: sum(items.map(item => itemBytes(item) + ENTRY_BYTES)) / records.length,
    writeUnits: sum(items.map(itemWriteUnits)) / records.length,
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
