import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { EventList } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import type { EventTable } from '../store/event-table.ts'
import { type Item, readItem } from '../store/format/event-items.ts'
import { DATA, PLACE_KEY, partitionOf } from '../store/format/keys.ts'
import type { DecodedItem } from '../store/format/record-codec.ts'
import { itemBytes, itemWriteUnits } from './item-cost.ts'

export interface ShownItem {
  place: string
  /** The item's size in bytes, by DynamoDB's rules. */
  bytes: number
  /** The write units of one write of the item, including its index entries. */
  writeUnits: number
  /** The decoded record, without a long field that is stored elsewhere. Undefined if the item cannot be decoded. */
  record: EventRecord | undefined
  /** Where the long field is stored, if the item does not contain it. */
  elsewhere: DecodedItem['elsewhere']
  /** Why the item cannot be decoded. Undefined if it was decoded. */
  problem: string | undefined
}

interface ItemRange {
  list: EventList
  network: Network | undefined
  /** Only items whose places begin with this string are read. */
  place: string
  limit: number
}

/** Reads the newest items. Each item is decoded separately, so that a damaged item does not hide the other items. */
export async function showItems(table: EventTable, range: ItemRange): Promise<ShownItem[]> {
  const { list, place, limit } = range
  // In a table of one network, the indexes lack the lists of users and tokens, so these are read from the table.
  const [only] = table.networks?.length === 1 ? table.networks : []
  const { indexName, keyName, key } = partitionOf(list, range.network ?? only)
  const command = new QueryCommand({
    TableName: table.tableName,
    IndexName: indexName,
    KeyConditionExpression: `#list = :list${place === '' ? '' : ' AND begins_with(#place, :place)'}`,
    ExpressionAttributeNames: { '#list': keyName, ...(place !== '' && { '#place': PLACE_KEY }) },
    ExpressionAttributeValues: { ':list': key, ...(place !== '' && { ':place': place }) },
    ScanIndexForward: false,
    Limit: limit,
  })
  const { Items = [] } = await DynamoDBDocumentClient.from(table.client).send(command)
  return Items.map(item => shown(item, list))
}

function shown(item: Item, list: EventList): ShownItem {
  const place = String(item[PLACE_KEY])
  const size = { place, bytes: itemBytes(item), writeUnits: itemWriteUnits(item) }
  try {
    const { record, elsewhere } = readItem(item[DATA], { list, place })
    return { ...size, record, elsewhere, problem: undefined }
  } catch (error) {
    return { ...size, record: undefined, elsewhere: undefined, problem: (error as Error).message }
  }
}
