import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../events/networks.ts'
import { BEGINNING, compareByTime, type Place } from '../events/place.ts'
import { PLACE_KEY, REVISIONS_LIST } from '../store/format/keys.ts'
import { parseRevision, REVISION, revisionKey } from '../store/format/revision-item.ts'
import { readPartition } from '../store/reading/read-partition.ts'
import { tryAgain } from '../store/try-again.ts'
import type { RevisionTable } from '../store/writing/append-revision.ts'

export interface Since {
  /** The number of the newest entry of the log of revisions that is known. 0 if the log was empty. */
  revision: number
  /** Later entries that the caller has appended itself. */
  own?: readonly number[] | undefined
}

/**
 * Returns the lowest place after which other writers have announced changes of a network's events. Returns `BEGINNING`
 * if the log does not show it, because entries have expired or the table is another one. Returns undefined if nothing
 * was announced.
 */
export async function changedSince(
  { revision: seen, own = [] }: Since,
  { network, ...table }: RevisionTable & { network: Network },
): Promise<Place | undefined> {
  const { client, tableName } = table
  // The known entry is read again, because a log without it is another log.
  const span = { first: revisionKey(Math.max(1, seen))[PLACE_KEY], last: '~' }
  const pages = readPartition({ tableName, list: REVISIONS_LIST, span }, query =>
    tryAgain(() => client.send(new QueryCommand(query)), table),
  )
  let [last, lowest]: [number | undefined, Place | undefined] = [undefined, undefined]
  for await (const items of pages) {
    for (const item of items) {
      const { number, places } = parseRevision(item[PLACE_KEY], item[REVISION])
      if (last === undefined && number > seen + 1) return BEGINNING
      last = number
      const place = places[network]
      if (number <= seen || own.includes(number) || place === undefined) continue
      lowest = lowest === undefined || compareByTime(place, lowest) < 0 ? place : lowest
    }
  }
  return last === undefined && seen > 0 ? BEGINNING : lowest
}
