import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../../events/networks.ts'
import type { PlaceSpan } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { CorruptRowError } from '../../query/errors.ts'
import type { EventTable } from '../event-table.ts'
import { type Item, readItem } from '../format/event-items.ts'
import { DATA, listKey, PLACE_KEY } from '../format/keys.ts'
import type { DecodedItem } from '../format/record-codec.ts'
import { type TryOptions, tryAgain } from '../try-again.ts'
import { type LongRecords, loadLongFields } from './load-long-fields.ts'
import { eachItem, readPartition } from './read-partition.ts'

/** The maximum number of rows whose long fields are in memory at the same time. */
const ROWS_PER_PAGE = 200

/** Yields the table's items in no particular order. Each Scan is retried as `tryAgain` specifies. */
export async function* scanItems({
  client,
  tableName,
  signal,
}: EventTable & Pick<TryOptions, 'signal'>): AsyncGenerator<Item> {
  const documents = DynamoDBDocumentClient.from(client)
  let after: Item | undefined
  do {
    const command = new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey: after })
    const { Items = [], LastEvaluatedKey } = await tryAgain(
      () => documents.send(command, signal && { abortSignal: signal }),
      { tableName, signal },
    )
    yield* Items
    after = LastEvaluatedKey
  } while (after)
}

/** Yields the items in ascending order of places. */
export const scanPartition = ({ client, tableName }: EventTable, list: string): AsyncGenerator<Item> =>
  eachItem({ client: DynamoDBDocumentClient.from(client), tableName }, { list })

/**
 * Yields the events of `all` in chain order, and a `CorruptRowError` for each row that is not a valid event. Each read
 * is retried as `tryAgain` specifies.
 */
export async function* scanEvents(
  table: EventTable,
  network: Network,
  { span, signal }: { span?: PlaceSpan; signal?: AbortSignal } = {},
): AsyncGenerator<EventRecord | CorruptRowError> {
  const { client, tableName } = table
  const documents = { client: DynamoDBDocumentClient.from(client), tableName, signal }
  const list = listKey({ of: 'all' }, network)
  const patiently = <T>(read: () => Promise<T>) => tryAgain(read, { tableName, signal })
  for await (const items of readPartition(documents, { list, span, pageSize: ROWS_PER_PAGE })) {
    const decoded = items.map(decodeInAll)
    const readable = decoded.flatMap(item => (item instanceof CorruptRowError ? [] : item))
    const long = await patiently(() => loadLongFields(readable, table))
    for (const item of decoded) {
      const record = item instanceof CorruptRowError ? item : await patiently(() => wholeRecord(item, long))
      if (record !== 'removed') yield record
    }
  }

  function decodeInAll(item: Item): DecodedItem | CorruptRowError {
    const place = String(item[PLACE_KEY])
    try {
      const decoded = readItem(item[DATA], { list: { of: 'all' }, place })
      if (decoded.record.network !== network) throw new TypeError('The item belongs to another network')
      return decoded
    } catch (cause) {
      return new CorruptRowError({ list, place, cause })
    }
  }
}

async function wholeRecord(
  item: DecodedItem,
  long: LongRecords,
): Promise<EventRecord | CorruptRowError | 'removed'> {
  try {
    return item.elsewhere ? await long.of(item) : item.record
  } catch (error) {
    if (error instanceof CorruptRowError) return error
    throw error
  }
}
