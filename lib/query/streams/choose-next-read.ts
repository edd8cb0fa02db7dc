import { decodePlace, type Place } from '../../events/place.ts'
import type { ListPage } from '../event-store.ts'
import type { ListChoice } from '../plan-query.ts'
import { MIN_CALL_ROWS, MIN_CALL_UNITS } from './row-price.ts'

export interface ListProgress {
  choice: ListChoice
  /** The list's last read, or undefined before its first read. */
  last?: Pick<ListPage, 'examined' | 'count'> & { limit: number }
  /** Seconds of chain time covered per read unit by the last read that started from a known place. */
  speed?: number
}

interface ListCall {
  list: ListProgress
  limit: number
}

/** The maximum number of rows in one read: about 1 MB, the size at which DynamoDB ends a page anyway. */
const MAX_ROWS = 250 * MIN_CALL_ROWS
/** Reads grow at most by this factor, because the estimate of the match rate may be wrong. */
const MAX_GROWTH = 4
/**
 * The fastest list is not used if another list's last read had at least 2 matches, and a share of matching rows more
 * than 1.5 times as high. Without this rule, deep skips cost more, because the speed of a single read says little about
 * a long list.
 */
const PURER = { matches: 2, times: 1.5 }

/**
 * Chooses the next read for `need` more matches. Each list has all matches, so the read usually uses the cheapest list:
 * the list that covers the most chain time per read unit. If too many of that list's rows would not match, a list whose
 * speed is still unknown is tried first, with a small call.
 */
export function chooseNextRead(lists: readonly ListProgress[], need: number): ListCall {
  const leader = leaderOf(lists)
  if (!leader) throw new TypeError('A plan must read at least one list')
  const others = lists.filter(list => list !== leader)
  const isWorthLook = rowsInVain(leader, need) > MIN_CALL_ROWS
  const unknown = isWorthLook && others.find(({ speed }) => speed === undefined)
  if (unknown) return { list: unknown, limit: MIN_CALL_ROWS }
  return { list: leader, limit: rowsToExamine(leader, { need, isOnly: others.length === 0 }) }
}

function leaderOf(lists: readonly ListProgress[]): ListProgress | undefined {
  const bySpeed = lists.toSorted((a, b) => (b.speed ?? 0) - (a.speed ?? 0))
  const [fastest] = bySpeed
  const isPurer = (list: ListProgress) =>
    fastest &&
    (list.last?.count ?? 0) >= PURER.matches &&
    rowsPerMatch(fastest) > PURER.times * rowsPerMatch(list)
  return bySpeed.find(isPurer) ?? fastest
}

/**
 * Estimates from the list's last read how many rows are read for each match. The estimate is high if no row has
 * matched.
 */
function rowsPerMatch({ choice, last }: ListProgress): number {
  return choice.where.length === 0 || !last ? 1 : (last.examined + 1) / (last.count + 0.5)
}

/**
 * The expected number of non-matching rows that must be read from the list to find `need` matches. Reading another list
 * instead can save at most these rows.
 */
const rowsInVain = (list: ListProgress, need: number) => need * (rowsPerMatch(list) - 1)

function rowsToExamine(list: ListProgress, { need, isOnly }: { need: number; isOnly: boolean }): number {
  if (list.choice.where.length === 0) return need
  if (!list.last) return isOnly ? Math.max(MIN_CALL_ROWS, Math.min(need, MAX_ROWS)) : MIN_CALL_ROWS
  const expected = Math.ceil(need + rowsInVain(list, need))
  return Math.max(MIN_CALL_ROWS, Math.min(expected, MAX_GROWTH * list.last.limit, MAX_ROWS))
}

/** `from` is the place where the read started. */
export function noteReading({ list, limit }: ListCall, page: ListPage, from: Place | undefined): void {
  const { examined, count, readUnits, examinedThrough } = page
  list.last = { limit, examined, count }
  if (from === undefined || examinedThrough === undefined) return
  list.speed = Math.abs(secondsOf(examinedThrough) - secondsOf(from)) / Math.max(readUnits, MIN_CALL_UNITS)
}

const secondsOf = (place: Place): number => decodePlace(place)?.seconds ?? 0
