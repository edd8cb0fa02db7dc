import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { EventList } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import type { EventTable } from './event-table.ts'
import { type Item, positionIn } from './item.ts'
import { itemBytes, itemWriteUnits } from './item-bytes.ts'
import { DATA, PLACE_KEY, partitionOf } from './keys.ts'
import { type DecodedItem, decodeItem } from './record-codec.ts'

export interface ShownItem {
  place: string
  /** The item's size as DynamoDB reckons it. */
  bytes: number
  /** What writing it costs, with its entries in indexes. */
  writeUnits: number
  /** What it holds; without its long field where that is kept apart. */
  record: EventRecord | undefined
  /** Where its long field is, where it is not here. */
  apart: DecodedItem['apart']
  /** Why it cannot be read. */
  problem: string | undefined
}

interface ItemRange {
  list: EventList
  network: Network | undefined
  /** Only what stands at places that begin so. */
  place: string
  limit: number
}

/** The first items of a list, newest first, each by itself: one that is damaged is told, and the others shown. */
export async function showItems(table: EventTable, range: ItemRange): Promise<ShownItem[]> {
  const { list, network, place, limit } = range
  const { indexName, keyName, key } = partitionOf(list, network)
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
    const data = item[DATA]
    if (!(data instanceof Uint8Array)) throw new TypeError('It has no data')
    const { record, apart } = decodeItem(Buffer.from(data), positionIn(list, place))
    return { ...size, record, apart, problem: undefined }
  } catch (error) {
    return { ...size, record: undefined, apart: undefined, problem: (error as Error).message }
  }
}
