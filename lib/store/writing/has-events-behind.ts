import type { Place, PlaceSpan } from '../../events/place.ts'
import { listKey } from '../format/keys.ts'
import { readPartition } from '../reading/read-partition.ts'
import type { RecentBlocksTable } from './recent-blocks.ts'

/** Whether the network has events, from any writer, at places higher than `place`. */
export async function hasEventsBehind(place: Place, table: RecentBlocksTable): Promise<boolean> {
  const all = { list: listKey({ of: 'all' }, table.network), span: spanBehind(place), pageSize: 1 }
  for await (const items of readPartition(table, all)) if (items.length > 0) return true
  return false
}

/** Begins immediately after `place`: `!` sorts before every character of a place, and `~` after every place. */
export const spanBehind = (place: Place): PlaceSpan => ({ first: `${place}!`, last: '~' })
