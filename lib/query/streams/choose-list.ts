import { decodePlace, type Place } from '../../events/place.ts'
import type { ListPage } from '../event-store.ts'
import type { ListChoice } from '../plan-query.ts'
import { MIN_CALL_ROWS, MIN_CALL_UNITS } from './row-price.ts'

/** A list, and what is known of it. */
export interface ListProgress {
  choice: ListChoice
  /** Undefined before the first reading. */
  last: LastReading | undefined
  /** Seconds of chain time that it covered for a read unit; undefined while no reading of it had a place to start from. */
  speed: number | undefined
  /** Read units that other lists have cost since. */
  neglected: number
}

interface LastReading {
  limit: number
  through: Place | undefined
  /** Rows examined and rows that matched, then and, each time at half the weight, in the readings before. */
  examined: number
  matched: number
}

/** What one call reads: of which list, and how many rows at most. */
interface ListTurn {
  list: ListProgress
  limit: number
}

/** Few transactions or blocks hold more events, so that one call mostly reads such a list whole. */
const ROWS_OF_BLOCK = 2 * MIN_CALL_ROWS
/** About 1 MB, where DynamoDB ends a page anyway. */
const MAX_ROWS = 250 * MIN_CALL_ROWS
/** A guess at how many rows match grows into a large reading in steps, not at once. */
const MAX_GROWTH = 4
/** Some rows more than expected are read, as a part of those that won't match, so that a page needs no last small reading. */
const MARGIN = 1 / 4
/** A list is looked at again when others have cost so many looks since: soon where it was little slower. */
const WAIT = { min: 4, max: 24 }
/** Matches tell more of a list than its speed where so many of its rows matched, and so many times as often as the fastest list's. */
const PURER = { matches: 2, times: 1.5 }

/** The lists of a plan, the one that is likely the shortest first, before anything is read. */
export const newProgress = (choices: readonly ListChoice[]): ListProgress[] =>
  choices
    .map(choice => ({ choice, last: undefined, speed: undefined, neglected: 0 }))
    .sort((a, b) => likelyLength(a) - likelyLength(b))

function likelyLength({ choice: { list } }: ListProgress): number {
  if (list.of === 'user') return list.role === undefined ? 2 : 1
  return list.of === 'token' && list.tokenId === undefined ? 3 : 0
}

/**
 * What to read for `need` more matches. Each list holds all of them, so the one that covers the most ground
 * for its price leads. The others are looked at, once to begin with and now and then later, as long as
 * one of them could save more than the look costs.
 */
export function chooseList(
  lists: readonly ListProgress[],
  { need, frontier }: { need: number; frontier: Place | undefined },
): ListTurn {
  const leader = leaderOf(lists)
  if (!leader) return firstTurn(lists, need)
  const other =
    lists.find(list => isLeftBehind(list, frontier)) ??
    (rowsInVain(leader, need) > MIN_CALL_ROWS ? dueForLook(lists, leader) : undefined)
  return other ? look(other) : { list: leader, limit: rowsToExamine(leader, need) }
}

/** The fastest list, unless the rows of another match much more often. */
function leaderOf(lists: readonly ListProgress[]): ListProgress | undefined {
  const [first, ...others] = lists.filter(({ last }) => last !== undefined)
  if (!first) return undefined
  const fastest = others.reduce((a, b) => ((b.speed ?? 0) > (a.speed ?? 0) ? b : a), first)
  const purest = others.reduce((a, b) => (rowsPerMatch(b) < rowsPerMatch(a) ? b : a), first)
  const isPurer =
    (purest.last?.matched ?? 0) >= PURER.matches && rowsPerMatch(fastest) > PURER.times * rowsPerMatch(purest)
  return isPurer ? purest : fastest
}

/** Rows of this list to a match, as far as they have been read; many where none has matched. */
function rowsPerMatch({ choice, last }: ListProgress): number {
  return choice.where.length === 0 || !last ? 1 : (last.examined + 1) / (last.matched + 0.5)
}

/** Rows of this list that won't match on the way to `need` that do: the most that reading another could save. */
const rowsInVain = (list: ListProgress, need: number) => need * (rowsPerMatch(list) - 1)

function firstTurn(lists: readonly ListProgress[], need: number): ListTurn {
  const [list] = lists
  if (!list) throw new TypeError('A plan reads at least one list')
  if (list.choice.where.length === 0) return { list, limit: need }
  const turn = look(list)
  return lists.length > 1 ? turn : { list, limit: Math.max(turn.limit, Math.min(need, MAX_ROWS)) }
}

const look = (list: ListProgress): ListTurn => ({
  list,
  limit: isOfBlock(list) ? ROWS_OF_BLOCK : MIN_CALL_ROWS,
})

const isOfBlock = ({ choice: { list } }: ListProgress) => list.of === 'block' || list.of === 'transaction'

/**
 * Whether other lists have led on from the second in which a block's or a transaction's list stood: mostly it
 * ends there, and with it the answer, whatever the others still hold.
 */
function isLeftBehind(list: ListProgress, frontier: Place | undefined): boolean {
  const through = list.last?.through
  if (!isOfBlock(list) || through === undefined || frontier === undefined) return false
  return decodePlace(through)?.seconds !== decodePlace(frontier)?.seconds
}

/** A list that is new, or of which nothing tells how fast it is, or that has waited long enough for how slow it was. */
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

/** Exactly as many rows as are needed where every row matches, else a growing guess. */
function rowsToExamine(leader: ListProgress, need: number): number {
  if (leader.choice.where.length === 0) return need
  const grown = MAX_GROWTH * (leader.last?.limit ?? MIN_CALL_ROWS)
  const expected = Math.ceil(need + (1 + MARGIN) * rowsInVain(leader, need))
  return Math.max(MIN_CALL_ROWS, Math.min(expected, grown, MAX_ROWS))
}

/** Takes into account what a reading that started behind `from` has brought. */
export function noteReading(
  lists: readonly ListProgress[],
  { turn: { list, limit }, page, from }: { turn: ListTurn; page: ListPage; from: Place | undefined },
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

/** Seconds, with the log index as a fraction so that progress within one crowded block counts too. */
function chainTime(place: Place): number {
  const parts = decodePlace(place)
  return parts ? parts.seconds + Math.min(parts.logIndex, 9999) / 10_000 : 0
}
