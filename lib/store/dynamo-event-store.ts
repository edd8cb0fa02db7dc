import { type AttributeValue, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { decodePlace, type Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { CorruptRowError, StoreUnavailableError } from '../query/errors.ts'
import type { EventRow, EventStore, ListPage, ListReading } from '../query/event-store.ts'
import { withSignal } from './call-signal.ts'
import type { AttributeMap, EventTable } from './event-table.ts'
import { PLACE_KEY, partitionOf } from './keys.ts'
import { loadLongFields } from './load-long-fields.ts'
import { queryInput } from './query-input.ts'
import { readRecord } from './read-record.ts'
import { translateErrors } from './translate-errors.ts'

/**
 * Reads events from the DynamoDB table. Index reads are eventually consistent, as DynamoDB's are; so
 * are the table's, at half the price. Throws `StoreUnavailableError` and `CorruptRowError`.
 */
export function createDynamoEventStore(table: EventTable): EventStore {
  return {
    async readList(reading, options = {}) {
      const { client, tableName } = table
      const command = new QueryCommand(queryInput(reading, tableName))
      const output = await translateErrors(
        withSignal({ client, ...options }, given => client.send(command, given)),
      )
      const { count, examined, items } = wholeAnswer(output, reading)
      const last = output.LastEvaluatedKey
      return {
        rows: items.map(item => toRow(item, reading)),
        count,
        examined,
        calls: 1,
        readUnits: output.ConsumedCapacity?.CapacityUnits ?? 0,
        examinedThrough: last && readPlace(last, reading),
      } satisfies ListPage
    },
    async loadRecords(rows, options = {}) {
      const items = rows.map(row => row.item as AttributeMap)
      const long = await loadLongFields(items, { ...table, options })
      const records: EventRecord[] = []
      for (const item of items) {
        const fields = item.chunks === undefined ? {} : await long.of(item)
        if (fields !== 'removed') records.push(readRecord(item, fields))
      }
      return { records, ...long.cost }
    },
  }
}

/** An answer that lacks a part would read as a list with nothing in it. */
function wholeAnswer({ Count, ScannedCount, Items = [] }: QueryCommandOutput, { select }: ListReading) {
  const isWhole =
    Count !== undefined && ScannedCount !== undefined && (select === 'count' || Items.length === Count)
  if (!isWhole) throw new StoreUnavailableError(new TypeError('The answer to a Query is not whole'))
  return { count: Count, examined: ScannedCount, items: Items }
}

const toRow = (item: AttributeMap, reading: ListReading): EventRow => ({
  place: readPlace(item, reading),
  bytes: bytesOf(item),
  item,
})

/** Paging relies on places, so one that is none must not be taken for the end of a list. */
function readPlace(item: AttributeMap, { list, network }: ListReading): Place {
  const place = item[PLACE_KEY]?.S ?? ''
  if (decodePlace(place)) return place
  const cause = new TypeError('Its place is not that of an event')
  throw new CorruptRowError({ list: String(partitionOf(list, network).key), place, cause })
}

/** A record without its long fields takes less than this. */
const PLAIN_RECORD_BYTES = 1200
/** Of an id or a quantity beside its digits: two quotes, which the text of a response escapes, and a comma. */
const NUMBER_BYTES = 5

/** At least what a record takes in a function's response, and little more. */
function bytesOf({ bytes, tokenIds, quantities, bucketHash }: AttributeMap): number {
  if (bytes?.N !== undefined) return Number(bytes.N)
  const text = bucketHash?.S
  const textBytes = text === undefined ? 0 : Buffer.byteLength(JSON.stringify(JSON.stringify(text)))
  return PLAIN_RECORD_BYTES + numberBytes(tokenIds) + numberBytes(quantities) + textBytes
}

const numberBytes = (list: AttributeValue | undefined) =>
  (list?.L ?? []).reduce((sum, { S = '' }) => sum + S.length + NUMBER_BYTES, 0)
