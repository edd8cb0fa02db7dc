import { commonSpan, type Place } from '../../events/place.ts'
import type { EventRow } from '../event-store.ts'
import type { ListsPlan } from '../plan-query.ts'
import { chooseList, newProgress, noteReading } from './choose-list.ts'
import type { ListStream, StreamContext, StreamScope } from './event-stream.ts'

/**
 * Reads one list, or competing lists with one shared frontier: each call goes on from the furthest
 * place that any list has reached, since each of them holds every match up to there.
 */
export function readLists(
  { lists, direction, network, span: planned, isConsistent }: ListsPlan,
  { from, span: scope, progress = newProgress(lists) }: StreamScope,
  { store, select }: StreamContext,
): ListStream {
  if (from?.at === 'networks') throw new TypeError('A list is read from one place')
  const span = planned && scope ? commonSpan(planned, scope) : (planned ?? scope)
  const [start, until] = direction === 'asc' ? [span?.first, span?.last] : [span?.last, span?.first]
  const isAhead = (a: Place, b: Place) => (direction === 'asc' ? a > b : a < b)
  const buffer: EventRow[] = []
  /** Matching rows that were counted and not read. */
  let counted = 0
  /** Everything up to here has been examined. */
  let frontier: Place | undefined = from?.place
  /** Everything up to here has been examined, and taken where it matched. */
  let takenThrough = frontier
  let origin = frontier
  let rowsRead = 0
  let hasBegun = false
  let isDone = isAtEnd(placeToStart())

  /** Behind what has been examined, and not before the span. */
  function placeToStart(): Place | undefined {
    if (frontier === undefined || start === undefined) return frontier ?? start
    return isAhead(frontier, start) ? frontier : start
  }

  /** Whether the span ends there, so that nothing is to be read. */
  function isAtEnd(place: Place | undefined): boolean {
    return place !== undefined && until !== undefined && !isAhead(until, place)
  }

  return {
    async fill(want) {
      const need = want - this.ready()
      if (need <= 0 || isDone) return
      const turn = chooseList(progress, { need, frontier })
      const after = placeToStart()
      const page = await store.readList({
        ...turn.list.choice,
        ...(network && { network }),
        ...(isConsistent && { isConsistent }),
        ...(after !== undefined && { after }),
        ...(until !== undefined && { until }),
        direction,
        limit: turn.limit,
        select,
      })
      hasBegun = true
      noteReading(progress, { turn, page, from: frontier })
      if (buffer.length === 0) takenThrough = frontier
      buffer.push(...page.rows)
      if (select === 'count') counted += page.count
      rowsRead += page.rows.length
      origin ??= page.rows[0]?.place
      frontier = page.examinedThrough ?? page.rows.at(-1)?.place ?? frontier
      isDone = page.examinedThrough === undefined
    },
    ready: () => buffer.length + counted,
    take(count) {
      const rows = buffer.splice(0, count)
      takenThrough = rows.at(-1)?.place ?? takenThrough
      return rows
    },
    skip(count) {
      if (select !== 'count') return this.take(count).length
      // Where the last of them stands is known, and of no other: they are left out together.
      const skipped = counted
      counted = 0
      return skipped
    },
    peek: index => buffer[index]?.place,
    begun: () => hasBegun,
    reach: () => ({ origin, frontier, rows: rowsRead }),
    done: () => isDone,
    position() {
      const place = buffer.length > 0 ? takenThrough : frontier
      return place === undefined ? undefined : { at: 'place', place }
    },
  }
}
