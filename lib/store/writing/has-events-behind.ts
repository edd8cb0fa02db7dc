import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Place } from '../../events/place.ts'
import { listKey } from '../format/keys.ts'
import { readPartition } from '../reading/read-partition.ts'
import { tryAgain } from '../try-again.ts'
import type { RecentBlocksTable } from './recent-blocks.ts'

/** Whether the network has events with a higher place than `place`, from any writer. */
export async function hasEventsBehind(place: Place, table: RecentBlocksTable): Promise<boolean> {
  const { client, tableName, network } = table
  // `!` sorts before every character of a place, so the span begins right after `place`. `~` sorts after every place.
  const span = { first: `${place}!`, last: '~' }
  const all = { tableName, list: listKey({ of: 'all' }, network), span, pageSize: 1 }
  const pages = readPartition(all, query => tryAgain(() => client.send(new QueryCommand(query)), table))
  for await (const items of pages) if (items.length > 0) return true
  return false
}
