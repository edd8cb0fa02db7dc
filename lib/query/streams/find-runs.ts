import type { EventList } from '../../events/lists.ts'
import { blockSpan, decodePlace, type PlaceParts } from '../../events/place.ts'
import type { EventStore } from '../event-store.ts'

/**
 * Finds the blocks in the list of a transaction or of a block number, and returns the place of each block's first
 * event. Each network has at most one block in the list, and finding each block takes one small call.
 */
export async function findRuns(list: EventList, store: EventStore): Promise<PlaceParts[]> {
  const found: PlaceParts[] = []
  for (;;) {
    const last = found.at(-1)
    const page = await store.readList({
      list,
      where: [],
      direction: 'asc',
      limit: 1,
      select: 'places',
      ...(last && { after: blockSpan(last).last }),
    })
    const run = page.rows[0] && decodePlace(page.rows[0].place)
    if (!run) return found
    found.push(run)
  }
}
