import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import type { EventRecord } from '../events/record.ts'
import type { EventRow, EventStore, ListPage } from '../query/event-store.ts'
import { PLACE_KEY } from './keys.ts'
import { loadLongFields } from './load-long-fields.ts'
import { queryInput } from './query-input.ts'
import { type AttributeMap, readRecord } from './read-record.ts'
import { translateErrors } from './translate-errors.ts'

export interface EventTable {
  client: DynamoDBClient
  tableName: string
}

/**
 * Reads events from the DynamoDB table. Index reads are eventually consistent, as DynamoDB's are; so
 * are the table's, at half the price. Throws `StoreUnavailableError` and `CorruptRowError`.
 */
export function createDynamoEventStore(table: EventTable): EventStore {
  return {
    async readList(reading) {
      const command = new QueryCommand(queryInput(reading, table.tableName))
      const output = await translateErrors(table.client.send(command))
      const { Items: items = [], Count: count = 0, ScannedCount: examined = 0 } = output
      return {
        rows: items.map(toRow),
        count,
        examined,
        calls: 1,
        readUnits: output.ConsumedCapacity?.CapacityUnits ?? 0,
        examinedThrough: output.LastEvaluatedKey?.[PLACE_KEY]?.S,
      } satisfies ListPage
    },
    async loadRecords(rows) {
      const items = rows.map(row => row.item as AttributeMap)
      const long = await loadLongFields(items, table)
      const records: EventRecord[] = []
      for (const item of items) {
        const fields = item.chunks === undefined ? {} : await long.of(item)
        if (fields !== 'removed') records.push(readRecord(item, fields))
      }
      return { records, ...long.cost }
    },
  }
}

function toRow(item: AttributeMap): EventRow {
  return { place: item[PLACE_KEY]?.S ?? '', bytes: recordBytes(item), item }
}

/** JSON of a record without its long fields takes less than this. */
const PLAIN_RECORD_BYTES = 1200
/** One id and one quantity of 78 digits, with quotes and commas. */
const PAIR_BYTES = 162

function recordBytes({ bytes, tokenIds, bucketHash }: AttributeMap): number {
  if (bytes?.N !== undefined) return Number(bytes.N)
  return PLAIN_RECORD_BYTES + PAIR_BYTES * (tokenIds?.L?.length ?? 0) + 6 * (bucketHash?.S?.length ?? 0)
}
