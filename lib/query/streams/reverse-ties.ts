import { decodePlace, endOfSecond, type Place, secondSpan } from '../../events/place.ts'
import type { EventRow } from '../event-store.ts'
import type { ListsPlan, MergePlan, TiesReversedPlan } from '../plan-query.ts'
import type { Position } from '../position.ts'
import type { Direction } from '../query.ts'
import type { EventStream, StreamContext, StreamScope } from './event-stream.ts'
import { openRows } from './merge-parts.ts'

/** Extra rows to read, which usually complete the last run of equal timestamps, because most runs are short. */
const RUN_MARGIN = 4

/** An incomplete run of up to this length is read to its end. A longer run is read again, as a range of one second. */
const PATIENCE = 24

/**
 * A run that was read to its end is reversed in memory. A long run that was only partly read is read again, as a range
 * in the opposite direction. The source then resumes at the first row after the long run.
 */
export function reverseTies(
  { source, ties }: TiesReversedPlan,
  { from }: Pick<StreamScope, 'from'>,
  context: StreamContext,
): EventStream {
  const openSource = (position: Position | undefined) => openRows(source, { from: position }, context)
  const openRun = (seconds: number, position?: Position) => ({
    seconds,
    stream: openRows(turned(source, ties), { from: position, span: secondSpan(seconds) }, context),
  })
  const endOf = (seconds: number): Position => ({
    at: 'place',
    place: endOfSecond(seconds, source.direction),
  })

  let run =
    from?.at === 'run' || from?.at === 'second'
      ? openRun(secondsOf(from.place), from.at === 'run' ? { at: 'place', place: from.place } : undefined)
      : undefined
  let rest = openSource(run ? endOf(run.seconds) : from)
  const buffer: EventRow[] = []
  /** The rows of an incomplete run that have been read so far. */
  let cut: EventRow[] = []
  /** The position after the rows taken so far, valid while the buffer has rows. */
  let takenThrough = from

  return {
    async fill(want) {
      if (buffer.length >= want) return
      if (cut[0] !== undefined && cut.length > PATIENCE) {
        const seconds = secondsOf(cut[0].place)
        if (buffer.length === 0) takenThrough = { at: 'second', place: cut[0].place }
        run = openRun(seconds)
        rest = openSource(endOf(seconds))
        cut = []
      }
      if (run) await fillFromRun(run, want)
      else await fillFromRest(want)
    },
    ready: () => buffer.length,
    take(count) {
      const rows = buffer.splice(0, count)
      const last = rows.at(-1)
      if (last)
        takenThrough = isWithinRun(last) ? { at: 'run', place: last.place } : endOf(secondsOf(last.place))
      return rows
    },
    skip(count) {
      return this.take(count).length
    },
    done: () => run === undefined && cut.length === 0 && rest.done(),
    position() {
      if (buffer.length > 0) return takenThrough
      if (cut[0] !== undefined) return { at: 'second', place: cut[0].place }
      if (!run) return (rest.done() ? behindLastSecond() : rest.position()) ?? takenThrough
      const within = run.stream.position()
      return within?.at === 'place' ? { at: 'run', place: within.place } : takenThrough
    },
  }

  /**
   * Returns the position after the last second that was read. Rows that are later added to this second are skipped,
   * because they would precede rows already taken.
   */
  function behindLastSecond(): Position | undefined {
    const position = rest.position()
    return position?.at === 'place' ? endOf(secondsOf(position.place)) : position
  }

  async function fillFromRun({ stream }: { stream: EventStream }, want: number) {
    await stream.fill(want - buffer.length)
    buffer.push(...stream.take(stream.ready()))
    if (stream.done()) run = undefined
  }

  async function fillFromRest(want: number) {
    if (buffer.length === 0 && cut.length === 0) takenThrough = rest.position() ?? takenThrough
    await rest.fill(want - buffer.length + RUN_MARGIN)
    const runs = splitRuns([...cut, ...rest.take(rest.ready())])
    cut = []
    const last = runs.at(-1)
    if (last?.[0] && !rest.done() && mayGoOn(last[0])) cut = runs.pop() ?? []
    for (const rows of runs) buffer.push(...rows.toReversed())
  }

  function mayGoOn(row: EventRow): boolean {
    const position = rest.position()
    return position?.at !== 'place' || secondsOf(position.place) === secondsOf(row.place)
  }

  function isWithinRun(row: EventRow): boolean {
    const seconds = secondsOf(row.place)
    const next = buffer[0]
    return next ? secondsOf(next.place) === seconds : run?.seconds === seconds
  }
}

function turned(source: ListsPlan | MergePlan, direction: Direction): ListsPlan | MergePlan {
  if (source.read === 'lists') return { ...source, direction }
  return { ...source, direction, parts: source.parts.map(part => ({ ...part, direction })) }
}

function splitRuns(rows: EventRow[]): EventRow[][] {
  const runs: EventRow[][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run?.[0] && secondsOf(run[0].place) === secondsOf(row.place)) run.push(row)
    else runs.push([row])
  }
  return runs
}

function secondsOf(place: Place): number {
  const parts = decodePlace(place)
  if (!parts) throw new RangeError(`${place} is not a place of an event`)
  return parts.seconds
}
