import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Network } from '../../../lib/events/networks.ts'
import type { Item } from '../../../lib/store/item.ts'
import { storedItems } from './stored-items.ts'

export interface IndexedTable {
  /** All items of events, in a fixed order. */
  events: Item[]
  /** What the indexer remembers of the network. */
  checkpoint: Item | undefined
  recentBlocks: Item[]
}

/** Everything that a table holds, told apart. */
export async function readIndexedTable(
  client: DynamoDBClient,
  tableName: string,
  network: Network,
): Promise<IndexedTable> {
  const items = await storedItems(client, tableName)
  const isOf = (name: string) => (item: Item) => item.list === name
  return {
    events: items.filter(({ list }) => list !== 'checkpoints' && !String(list).startsWith('blocks@')),
    checkpoint: items.find(item => item.list === 'checkpoints' && item.place === network),
    recentBlocks: items.filter(isOf(`blocks@${network}`)),
  }
}
