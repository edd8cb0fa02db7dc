import { commonSpan, type Place } from '../../events/place.ts'
import type { EventRow } from '../event-store.ts'
import type { ListsPlan } from '../plan-query.ts'
import { chooseNextRead, type ListProgress, noteReading } from './choose-next-read.ts'
import type { ListStream, StreamContext, StreamScope } from './event-stream.ts'

/**
 * Reads one list, or several lists that each contain every match. Each call continues from the furthest place that any
 * list has reached, because all matches up to this place have been found.
 */
export function readLists(
  { lists, direction, network, span: planned, isConsistent }: ListsPlan,
  { from, span: scope }: StreamScope,
  { store, select }: StreamContext,
): ListStream {
  if (from?.at === 'networks')
    throw new TypeError('A list must be read from one place, not from one place for each network')
  const span = planned && scope ? commonSpan(planned, scope) : (planned ?? scope)
  const [start, until] = direction === 'asc' ? [span?.first, span?.last] : [span?.last, span?.first]
  const isAhead = (a: Place, b: Place) => (direction === 'asc' ? a > b : a < b)
  const progress = lists.map((choice): ListProgress => ({ choice }))
  const buffer: EventRow[] = []
  /** The number of matching rows that were counted but not transferred. */
  let counted = 0
  /** Everything up to this place has been examined. */
  let frontier: Place | undefined = from?.place
  /** All matching rows up to this place have been taken. */
  let takenThrough = frontier
  let origin = frontier
  let rowsRead = 0
  let hasBegun = false
  let isDone = isAtEnd(placeToStart())

  function placeToStart(): Place | undefined {
    if (frontier === undefined || start === undefined) return frontier ?? start
    return isAhead(frontier, start) ? frontier : start
  }

  function isAtEnd(place: Place | undefined): boolean {
    return place !== undefined && until !== undefined && !isAhead(until, place)
  }

  return {
    async fill(want) {
      const need = want - this.ready()
      if (need <= 0 || isDone) return
      const call = chooseNextRead(progress, need)
      const after = placeToStart()
      const page = await store.readList({
        ...call.list.choice,
        ...(network && { network }),
        ...(isConsistent && { isConsistent }),
        ...(after !== undefined && { after }),
        ...(until !== undefined && { until }),
        direction,
        limit: call.limit,
        select,
      })
      hasBegun = true
      noteReading(call, page, frontier)
      if (buffer.length === 0) takenThrough = frontier
      buffer.push(...page.rows)
      if (select === 'count') counted += page.count
      rowsRead += page.rows.length
      origin ??= page.rows[0]?.place
      frontier = page.examinedThrough ?? page.rows.at(-1)?.place ?? frontier
      // At the end of the span, nothing is left to read, and DynamoDB would refuse an empty range.
      isDone = page.examinedThrough === undefined || isAtEnd(frontier)
    },
    ready: () => buffer.length + counted,
    take(count) {
      const rows = buffer.splice(0, count)
      takenThrough = rows.at(-1)?.place ?? takenThrough
      return rows
    },
    skip(count) {
      if (select !== 'count') return this.take(count).length
      // Only the place of the last counted row is known, so counted rows are dropped together.
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
