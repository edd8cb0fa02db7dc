import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Network } from '../../../lib/events/networks.ts'
import type { Item } from '../../../lib/store/format/event-items.ts'
import { blockTimesList, CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'
import { recentBlocksList } from '../../../lib/store/writing/recent-blocks.ts'
import { storedItems } from './stored-items.ts'

export type IndexedTable = Awaited<ReturnType<typeof readIndexedTable>>

export async function readIndexedTable(client: DynamoDBClient, tableName: string, network: Network) {
  const items = await storedItems(client, tableName)
  const isOf = (list: string) => (item: Item) => item[LIST_KEY] === list
  const checkpoints = items.filter(isOf(CHECKPOINTS_LIST))
  const blocks = items.filter(({ [LIST_KEY]: list }) => String(list).startsWith('blocks@'))
  const times = items.filter(isOf(blockTimesList(network)))
  return {
    events: items.filter(item => ![...checkpoints, ...blocks, ...times].includes(item)),
    checkpoint: checkpoints.find(item => item[PLACE_KEY] === network),
    recentBlocks: blocks.filter(isOf(recentBlocksList(network))),
  }
}
