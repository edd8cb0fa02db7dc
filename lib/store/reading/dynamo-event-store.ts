import type { QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { EventList } from '../../events/lists.ts'
import type { Network } from '../../events/networks.ts'
import { networkOf, type Place } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import type { Condition } from '../../query/condition.ts'
import { CorruptRowError, StoreUnavailableError } from '../../query/errors.ts'
import type { CallOptions, EventStore, ListPage, ListReading } from '../../query/event-store.ts'
import type { AttributeMap, EventTable } from '../event-table.ts'
import { readItem } from '../format/event-items.ts'
import { DATA, listKey, PLACE_KEY, partitionOf, writtenList } from '../format/keys.ts'
import type { DecodedItem } from '../format/record-codec.ts'
import { loadLongFields } from './load-long-fields.ts'
import { queryInput } from './query-input.ts'
import { createBlockTimeReader } from './read-block-times.ts'
import { createCurrentCheckpointReader } from './read-checkpoints.ts'
import { responseBytes } from './response-bytes.ts'
import { sendQuery } from './send-query.ts'
import { type StoredRow, testRows } from './test-rows.ts'

/**
 * A read of the table is strongly consistent if `isConsistent` is set. Other reads, and all reads of an index, are
 * eventually consistent and cost half as much. Every read can throw `StoreUnavailableError` or `CorruptRowError`.
 */
export function createDynamoEventStore(table: EventTable): EventStore {
  return {
    networks: table.networks,
    readBlockTime: createBlockTimeReader(table),
    readCheckpoints: createCurrentCheckpointReader(table),
    async readList(reading, options = {}) {
      const { client, tableName } = table
      const output = await sendQuery({ client, ...options }, queryInput(reading, tableName))
      const { count, examined, items } = wholeAnswer(output, reading)
      const { where } = reading
      const last = output.LastEvaluatedKey
      const page: ListPage & { rows: StoredRow[] } = {
        rows: items.map(item => toRow(item, reading)),
        count,
        examined,
        calls: 1,
        readUnits: output.ConsumedCapacity?.CapacityUnits ?? 0,
        examinedThrough: last && readPlace(last, reading),
      }
      return where.length === 0 ? page : testPage(page, where, { ...table, options })
    },
    async loadRecords(rows, options = {}) {
      const items = rows.map(row => (row as StoredRow).item())
      const long = await loadLongFields(items, { ...table, options })
      const records: EventRecord[] = []
      for (const item of items) {
        const record = item.elsewhere ? await long.of(item) : item.record
        if (record !== 'removed') records.push(record)
      }
      return { records, ...long.cost }
    },
  }
}

async function testPage(
  page: ListPage & { rows: StoredRow[] },
  where: readonly Condition[],
  table: EventTable & { options: CallOptions },
): Promise<ListPage> {
  const { rows, testedThrough, cost } = await testRows(page.rows, where, table)
  return {
    rows,
    count: rows.length,
    examined: page.examined + cost.examined,
    calls: page.calls + cost.calls,
    readUnits: page.readUnits + cost.readUnits,
    examinedThrough: testedThrough ?? page.examinedThrough,
  }
}

/** Throws `StoreUnavailableError` for an incomplete response, which would otherwise look like an empty list. */
function wholeAnswer({ Count, ScannedCount, Items = [] }: QueryCommandOutput, { select }: ListReading) {
  const isWhole =
    Count !== undefined && ScannedCount !== undefined && (select === 'count' || Items.length === Count)
  if (!isWhole) throw new StoreUnavailableError(new TypeError('The answer to a Query is incomplete'))
  return { count: Count, examined: ScannedCount, items: Items }
}

function toRow(item: AttributeMap, reading: ListReading): StoredRow {
  const place = readPlace(item, reading)
  let decoded: DecodedItem | undefined
  const decode = () => {
    decoded ??= decodeRow(item, place, reading)
    return decoded
  }
  return {
    place,
    item: decode,
    complete: record => {
      decoded = { record, elsewhere: undefined }
    },
    get bytes() {
      return responseBytes(decode())
    },
  }
}

function decodeRow(item: AttributeMap, place: Place, reading: ListReading): DecodedItem {
  try {
    const decoded = readItem(item[DATA]?.B, { list: reading.list, place })
    checkIndexKey(decoded.record, reading.list)
    return decoded
  } catch (cause) {
    throw corruptRow(reading, place, cause)
  }
}

/** Checks the item's index key, because the checksum covers only the item's list and place. */
function checkIndexKey({ transactionHash, blockNumber }: EventRecord, list: EventList) {
  if (list.of === 'transaction' && list.hash !== transactionHash) {
    throw new TypeError('The item belongs to another transaction')
  }
  if (list.of === 'block' && list.blockNumber !== blockNumber)
    throw new TypeError('The item belongs to another block')
}

/** Throws `CorruptRowError` for a malformed place, which would break paging and could look like the end of a list. */
function readPlace(item: AttributeMap, reading: ListReading): Place {
  const place = item[PLACE_KEY]?.S ?? ''
  const found = networkOf(place)
  const network = partitionNetwork(reading) ?? found
  if (found !== undefined && found === network) return place
  const cause = new TypeError(
    found ? 'The item belongs to another network' : 'The place of the item is malformed',
  )
  throw corruptRow(reading, place, cause)
}

/** Undefined if the partition contains events of all networks. */
const partitionNetwork = ({ list, network }: ListReading): Network | undefined =>
  list.of === 'transaction' || list.of === 'block' ? undefined : network

/** The error contains the row's key in the table, even if the row was read from an index. */
function corruptRow(reading: ListReading, place: Place, cause: unknown): CorruptRowError {
  const { list } = reading
  const network = partitionNetwork(reading) ?? networkOf(place)
  const key = network ? listKey(writtenList(list), network) : partitionOf(list, undefined).key
  return new CorruptRowError({ list: String(key), place, cause })
}
