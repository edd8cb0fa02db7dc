import type { EventList } from '../../events/lists.ts'
import { blockSpan, decodePlace, type PlaceParts } from '../../events/place.ts'
import type { EventStore } from '../event-store.ts'

/** Returns the first place of each block in a transaction's or block number's list. Each block takes one small call. */
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
