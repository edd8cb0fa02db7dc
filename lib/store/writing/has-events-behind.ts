import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Place, PlaceSpan } from '../../events/place.ts'
import { listKey } from '../format/keys.ts'
import { readPartition } from '../reading/read-partition.ts'
import { tryAgain } from '../try-again.ts'
import type { RecentBlocksTable } from './recent-blocks.ts'

/** Whether the network has events with a higher place than `place`, from any writer. */
export async function hasEventsBehind(place: Place, table: RecentBlocksTable): Promise<boolean> {
  const { client, tableName, network } = table
  const all = { tableName, list: listKey({ of: 'all' }, network), span: spanBehind(place), pageSize: 1 }
  const pages = readPartition(all, query => tryAgain(() => client.send(new QueryCommand(query)), table))
  for await (const items of pages) if (items.length > 0) return true
  return false
}

/**
 * The span of all higher places. `!` sorts before every character of a place, so the span begins right after `place`,
 * and `~` sorts after every place.
 */
export const spanBehind = (place: Place): PlaceSpan => ({ first: `${place}!`, last: '~' })
