import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { EventList } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'
import { networkOf, type Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import type { Condition } from '../query/condition.ts'
import { CorruptRowError, StoreUnavailableError } from '../query/errors.ts'
import type { CallOptions, EventRow, EventStore, ListPage, ListReading } from '../query/event-store.ts'
import { withSignal } from './call-signal.ts'
import { dataOf } from './data-of.ts'
import type { AttributeMap, EventTable } from './event-table.ts'
import { positionIn } from './item.ts'
import { listKey, PLACE_KEY, partitionOf, writtenList } from './keys.ts'
import { loadLongFields } from './load-long-fields.ts'
import { queryInput } from './query-input.ts'
import { createBlockTimeReader } from './read-block-times.ts'
import { createCurrentCheckpointReader } from './read-checkpoints.ts'
import { type DecodedItem, decodeItem } from './record-codec.ts'
import { responseBytes } from './response-bytes.ts'
import { testRows } from './test-rows.ts'
import { translateErrors } from './translate-errors.ts'

/**
 * Reads events from the DynamoDB table. Index reads are eventually consistent, as DynamoDB's are; so
 * are the table's, at half the price, unless a reading asks otherwise. Throws `StoreUnavailableError` and `CorruptRowError`.
 */
export function createDynamoEventStore(table: EventTable): EventStore {
  return {
    readBlockTime: createBlockTimeReader(table),
    readCheckpoints: createCurrentCheckpointReader(table),
    async readList(reading, options = {}) {
      const { client, tableName } = table
      const command = new QueryCommand(queryInput(reading, tableName))
      const output = await translateErrors(
        withSignal({ client, ...options }, given => client.send(command, given)),
      )
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
        const record = item.apart ? await long.of(item) : item.record
        if (record !== 'removed') records.push(record)
      }
      return { records, ...long.cost }
    },
  }
}

/** What is left of a page where only rows that meet the conditions are wanted. */
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

/** An answer that lacks a part would read as a list with nothing in it. */
function wholeAnswer({ Count, ScannedCount, Items = [] }: QueryCommandOutput, { select }: ListReading) {
  const isWhole =
    Count !== undefined && ScannedCount !== undefined && (select === 'count' || Items.length === Count)
  if (!isWhole) throw new StoreUnavailableError(new TypeError('The answer to a Query is not whole'))
  return { count: Count, examined: ScannedCount, items: Items }
}

/** A row whose bytes are decoded when its record is first asked for. */
interface StoredRow extends EventRow {
  item: () => DecodedItem
  complete: (record: EventRecord) => void
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
      decoded = { record, apart: undefined }
    },
    get bytes() {
      return responseBytes(decode())
    },
  }
}

function decodeRow(item: AttributeMap, place: Place, reading: ListReading): DecodedItem {
  try {
    const decoded = decodeItem(dataOf(item), positionIn(reading.list, place))
    checkIndexKey(decoded.record, reading.list)
    return decoded
  } catch (cause) {
    throw corruptRow(reading, place, cause)
  }
}

/** The checksum is over the path of a list; the keys of transactions and blocks are not in it. */
function checkIndexKey({ transactionHash, blockNumber }: EventRecord, list: EventList) {
  if (list.of === 'transaction' && list.hash !== transactionHash) {
    throw new TypeError('It is of another transaction')
  }
  if (list.of === 'block' && list.blockNumber !== blockNumber) throw new TypeError('It is of another block')
}

/** Paging relies on places, so one that is none must not be taken for the end of a list. */
function readPlace(item: AttributeMap, reading: ListReading): Place {
  const place = item[PLACE_KEY]?.S ?? ''
  const found = networkOf(place)
  const network = partitionNetwork(reading) ?? found
  if (found !== undefined && found === network) return place
  const cause = new TypeError(found ? 'It is of another network' : 'Its place is not that of an event')
  throw corruptRow(reading, place, cause)
}

/** The network whose part of the list is read, where the partition is that of a network. */
const partitionNetwork = ({ list, network }: ListReading): Network | undefined =>
  list.of === 'transaction' || list.of === 'block' ? undefined : network

/** Names the row by its key in the table, also where an index was read. */
function corruptRow(reading: ListReading, place: Place, cause: unknown): CorruptRowError {
  const { list } = reading
  const network = partitionNetwork(reading) ?? networkOf(place)
  const key = network ? listKey(writtenList(list), network) : partitionOf(list, undefined).key
  return new CorruptRowError({ list: String(key), place, cause })
}
