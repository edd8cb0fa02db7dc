import { decodePlace, type Place } from '../../events/place.ts'
import type { ListPage } from '../event-store.ts'
import type { ListChoice } from '../plan-query.ts'
import { MIN_CALL_ROWS, MIN_CALL_UNITS } from './row-price.ts'

/** A list, and statistics about its reads so far. */
export interface ListProgress {
  choice: ListChoice
  /** Undefined before the first read. */
  last: LastReading | undefined
  /**
   * How many seconds of chain time a read of the list covers per read unit. Undefined until a read has started from a
   * known place.
   */
  speed: number | undefined
  /** The read units spent on other lists since the last read of this list. */
  neglected: number
}

interface LastReading {
  limit: number
  through: Place | undefined
  /** Weighted sums of the examined and the matched rows. Each earlier read counts half as much as the read after it. */
  examined: number
  matched: number
}

/** One call: the list to read, and the most rows to examine. */
interface ListCall {
  list: ListProgress
  limit: number
}

/**
 * The number of rows in the first read of a transaction's or a block's list. Most of these lists have no more rows, so
 * one call mostly reads the whole list.
 */
const ROWS_OF_BLOCK = 2 * MIN_CALL_ROWS
/** The most rows of one read, about 1 MB. DynamoDB ends a page at this size anyway. */
const MAX_ROWS = 250 * MIN_CALL_ROWS
/**
 * The largest factor by which the number of rows may grow from one read to the next. The estimate of the match rate may
 * be wrong, so reads grow in steps.
 */
const MAX_GROWTH = 4
/**
 * Extra rows to read, as a share of the rows that are expected not to match. Thanks to the extra rows, a page mostly
 * needs no small read at its end.
 */
const MARGIN = 1 / 4
/**
 * A slow list is read again after this many small reads of other lists. A list that was only a little slower waits for
 * `min` reads.
 */
const WAIT = { min: 4, max: 24 }
/**
 * When the list with the highest match rate is preferred to the fastest list. The list must have had 2 matches, and
 * must match more than 1.5 times as often as the fastest list.
 */
const PURER = { matches: 2, times: 1.5 }

/** The lists of a plan before any read, the likely shortest list first. */
export const newProgress = (choices: readonly ListChoice[]): ListProgress[] =>
  choices
    .map(choice => ({ choice, last: undefined, speed: undefined, neglected: 0 }))
    .sort((a, b) => likelyLength(a) - likelyLength(b))

function likelyLength({ choice: { list } }: ListProgress): number {
  if (list.of === 'user') return list.role === undefined ? 2 : 1
  return list.of === 'token' && list.tokenId === undefined ? 3 : 0
}

/**
 * Chooses the next read for `need` more matches. Every list contains all matches, so the leading list is the list that
 * covers the most chain time per read unit. Each of the other lists is read once if this read may save more than it
 * costs. A slow list is read again after a while, if the new read may save more than it costs.
 */
export function chooseNextRead(
  lists: readonly ListProgress[],
  { need, frontier }: { need: number; frontier: Place | undefined },
): ListCall {
  const leader = leaderOf(lists)
  if (!leader) return firstCall(lists, need)
  const other =
    lists.find(list => isLeftBehind(list, frontier)) ??
    (rowsInVain(leader, need) > MIN_CALL_ROWS ? dueForLook(lists, leader) : undefined)
  return other ? look(other) : { list: leader, limit: rowsToExamine(leader, need) }
}

/** The fastest list, unless another list has a much higher match rate. */
function leaderOf(lists: readonly ListProgress[]): ListProgress | undefined {
  const [first, ...others] = lists.filter(({ last }) => last !== undefined)
  if (!first) return undefined
  const fastest = others.reduce((a, b) => ((b.speed ?? 0) > (a.speed ?? 0) ? b : a), first)
  const purest = others.reduce((a, b) => (rowsPerMatch(b) < rowsPerMatch(a) ? b : a), first)
  const isPurer =
    (purest.last?.matched ?? 0) >= PURER.matches && rowsPerMatch(fastest) > PURER.times * rowsPerMatch(purest)
  return isPurer ? purest : fastest
}

/**
 * How many rows of this list are examined for each match, estimated from the reads so far. The result is high if no row
 * has matched.
 */
function rowsPerMatch({ choice, last }: ListProgress): number {
  return choice.where.length === 0 || !last ? 1 : (last.examined + 1) / (last.matched + 0.5)
}

/**
 * The number of rows of this list that are expected not to match before `need` matches are found. Reading a different
 * list can save at most these rows.
 */
const rowsInVain = (list: ListProgress, need: number) => need * (rowsPerMatch(list) - 1)

function firstCall(lists: readonly ListProgress[], need: number): ListCall {
  const [list] = lists
  if (!list) throw new TypeError('A plan reads at least one list')
  if (list.choice.where.length === 0) return { list, limit: need }
  const call = look(list)
  return lists.length > 1 ? call : { list, limit: Math.max(call.limit, Math.min(need, MAX_ROWS)) }
}

const look = (list: ListProgress): ListCall => ({
  list,
  limit: isOfBlock(list) ? ROWS_OF_BLOCK : MIN_CALL_ROWS,
})

const isOfBlock = ({ choice: { list } }: ListProgress) => list.of === 'block' || list.of === 'transaction'

/**
 * Whether the reads of a block's or transaction's list stopped in a second that other lists have already passed. The
 * list mostly ends within this second, and its end is the end of the answer.
 */
function isLeftBehind(list: ListProgress, frontier: Place | undefined): boolean {
  const through = list.last?.through
  if (!isOfBlock(list) || through === undefined || frontier === undefined) return false
  return decodePlace(through)?.seconds !== decodePlace(frontier)?.seconds
}

/**
 * Returns a list that is due for a small read: a list that was never read, a list of unknown speed, or a slow list that
 * has waited long enough.
 */
function dueForLook(lists: readonly ListProgress[], leader: ListProgress): ListProgress | undefined {
  const others = lists.filter(list => list !== leader)
  return (
    others.find(({ last }) => last === undefined) ??
    others.find(({ speed, neglected }) => {
      if (speed === undefined) return true
      const timesSlower = (leader.speed ?? 0) / Math.max(speed, Number.MIN_VALUE)
      return neglected >= MIN_CALL_UNITS * Math.max(WAIT.min, Math.min(timesSlower ** 2, WAIT.max))
    })
  )
}

/** How many rows to examine: `need` if every row matches, otherwise an estimate that grows in steps. */
function rowsToExamine(leader: ListProgress, need: number): number {
  if (leader.choice.where.length === 0) return need
  const grown = MAX_GROWTH * (leader.last?.limit ?? MIN_CALL_ROWS)
  const expected = Math.ceil(need + (1 + MARGIN) * rowsInVain(leader, need))
  return Math.max(MIN_CALL_ROWS, Math.min(expected, grown, MAX_ROWS))
}

/** Updates the statistics with the result of a read. `from` is the place where the read started. */
export function noteReading(
  lists: readonly ListProgress[],
  { call: { list, limit }, page, from }: { call: ListCall; page: ListPage; from: Place | undefined },
): void {
  const { examined, count, readUnits, examinedThrough: through } = page
  const before = list.last ?? { examined: 0, matched: 0 }
  list.last = {
    limit,
    through,
    examined: examined + before.examined / 2,
    matched: count + before.matched / 2,
  }
  if (from !== undefined && through !== undefined) {
    list.speed = Math.abs(chainTime(through) - chainTime(from)) / Math.max(readUnits, MIN_CALL_UNITS)
  }
  for (const other of lists) other.neglected = other === list ? 0 : other.neglected + readUnits
}

/**
 * The chain time of a place, in seconds. The log index counts as a fraction of a second, so that a read within a
 * crowded block also makes progress.
 */
function chainTime(place: Place): number {
  const parts = decodePlace(place)
  return parts ? parts.seconds + Math.min(parts.logIndex, 9999) / 10_000 : 0
}
