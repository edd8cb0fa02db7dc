import { decodePlace, type Place } from '../../events/place.ts'
import type { ListPage } from '../event-store.ts'
import type { ListChoice } from '../plan-query.ts'

/** What reading a list has brought so far. */
export interface ListProgress {
  choice: ListChoice
  calls: number
  examined: number
  matched: number
  readUnits: number
  /** How far the readings of this list moved the frontier, in seconds of chain time. */
  ground: number
  /** Read units spent on other lists since this one was read. */
  neglected: number
  lastLimit: number
}

/** Some 6 KB of ordinary items, one or two read units: enough to see how dense a list is. */
const PROBE_ROWS = 8
/** Few transactions or blocks hold more events; such a list is mostly read whole in one call. */
const PROBE_ROWS_OF_BLOCK = 32
/** About 1 MB of ordinary items, where DynamoDB ends a page anyway. */
const MAX_ROWS = 1500
/** A guess at how many rows match grows into a large reading in steps, not at once. */
const MAX_GROWTH = 4
/** A list that looked worse is looked at again when the others have cost this many times its own calls. */
const NEGLECT_FACTOR = 12

export const newProgress = (choice: ListChoice): ListProgress => ({
  choice,
  calls: 0,
  examined: 0,
  matched: 0,
  readUnits: 0,
  ground: 0,
  neglected: 0,
  lastLimit: 0,
})

/** The list to read next: each once, then the one that covers most ground per read unit. */
export function chooseList(lists: ListProgress[]): ListProgress {
  const best = lists.reduce((a, b) => (groundPerUnit(b) > groundPerUnit(a) ? b : a))
  return (
    lists.find(list => list.calls === 0) ??
    lists.find(list => list !== best && list.neglected > (NEGLECT_FACTOR * list.readUnits) / list.calls) ??
    best
  )
}

const groundPerUnit = ({ ground, readUnits }: ListProgress) => ground / Math.max(readUnits, 0.5)

/** How many rows to examine for `need` matches: exactly so many where every row matches, else a growing guess. */
export function rowsToExamine(
  list: ListProgress,
  { need, isAlone }: { need: number; isAlone: boolean },
): number {
  const { choice, calls, examined, matched, lastLimit } = list
  if (choice.where.length === 0) return need
  const isBlock = choice.list.of === 'block' || choice.list.of === 'transaction'
  const probe = isBlock ? PROBE_ROWS_OF_BLOCK : PROBE_ROWS
  if (calls === 0) return isAlone ? Math.max(Math.min(need, MAX_ROWS), probe) : probe
  const expected = Math.ceil((need * (examined + 1)) / (matched + 0.5))
  return Math.max(PROBE_ROWS, Math.min(expected, MAX_GROWTH * lastLimit, MAX_ROWS))
}

/** Takes into account what a reading that started behind `from` has brought. */
export function noteReading(
  lists: ListProgress[],
  {
    chosen,
    page,
    limit,
    from,
  }: { chosen: ListProgress; page: ListPage; limit: number; from: Place | undefined },
): void {
  const start = from ?? page.rows[0]?.place
  const end = page.examinedThrough
  chosen.calls += 1
  chosen.examined += page.examined
  chosen.matched += page.count
  chosen.readUnits += page.readUnits
  chosen.ground += start !== undefined && end !== undefined ? Math.abs(chainTime(end) - chainTime(start)) : 0
  chosen.neglected = 0
  chosen.lastLimit = limit
  for (const list of lists) if (list !== chosen) list.neglected += page.readUnits
}

/** Seconds, with the log index as a fraction so that progress within one crowded block counts too. */
function chainTime(place: Place): number {
  const parts = decodePlace(place)
  return parts ? parts.seconds + Math.min(parts.logIndex, 9999) / 10_000 : 0
}
