import { decodePlace, type Place } from '../../events/place.ts'
import type { Direction, Order } from '../query.ts'
import type { ListStream } from './event-stream.ts'
import { atSamePrice } from './row-price.ts'

interface Merge {
  want: number
  /** The order of the merge. */
  compare: (a: Place, b: Place) => number
  by: Order['by']
  direction: Direction
}

/**
 * The fraction of an equal share of the page that the first read of a part requests. This read shows how dense the
 * part's rows are. With a whole share and 500 records, `npm run bench:cost` measured a fifth more read units and no
 * fewer round trips.
 */
const FIRST_SHARE = 1 / 5
/**
 * The maximum number of parts that one round reads. The budget is only checked between rounds, and one part whose rows
 * are tested may read 1 MB.
 */
const PARTS_AT_ONCE = 10
/** Rows read beyond the expected number, so that a usual page needs no third round. */
const DENSITY_MARGIN = 2
/**
 * Places are converted into numbers on an axis of time or block number. All places of a block have the same time and
 * block number, so each log index adds this step.
 */
const SMALLEST_STEP = 1e-4

/**
 * How many rows to read from each part so that `want` merged rows become ready. The first round reads equally many rows
 * from each part. Later rounds estimate the point at which the merge has `want` rows. They also estimate how many rows
 * each part has up to this point, from its density so far. A part that has already reached this point is not read,
 * unless the merge waits for the part.
 */
export function rowsWanted(streams: ListStream[], merge: Merge): { stream: ListStream; rows: number }[] {
  const open = streams.filter(stream => !stream.done())
  const { want } = merge
  const fresh = open.filter(stream => !stream.begun())
  if (fresh.length > 0) {
    const share = Math.min(want, atSamePrice((FIRST_SHARE * want) / streams.length))
    // Read every part that has not started, because the merge waits until every part has started. With more parts, each
    // part reads less.
    return fresh.map(stream => ({ stream, rows: share }))
  }
  const reaches = streams.map(stream => reachOf(stream, merge))
  const target = expectedReach(reaches, want)
  const last = laggard(open, merge)
  const wanted = reaches.flatMap(({ stream, frontier, density, rows }) => {
    if (stream.done() || (frontier >= target && stream !== last)) return []
    const missing = Math.max(0, want - rows.length)
    const expected =
      density === 0 ? missing : Math.ceil(density * Math.max(0, target - frontier)) + DENSITY_MARGIN
    return [{ stream, rows: Math.max(1, Math.min(missing, atSamePrice(expected))) }]
  })
  if (wanted.length <= PARTS_AT_ONCE) return wanted
  const byLag = wanted.toSorted((a, b) => merge.compare(frontierOf(a.stream), frontierOf(b.stream)))
  return byLag.slice(0, PARTS_AT_ONCE)
}

/**
 * The part that the merge waits for. Places are compared, because two networks may have the same number on the axis.
 */
const laggard = (open: ListStream[], { compare }: Merge) =>
  open.reduce<ListStream | undefined>(
    (a, b) => (a && compare(frontierOf(a), frontierOf(b)) <= 0 ? a : b),
    undefined,
  )

const frontierOf = (stream: ListStream): Place => stream.reach().frontier ?? ''

interface PartReach {
  stream: ListStream
  /** How far the part has been read, as a number on the axis. Numbers on the axis grow in the direction of reading. */
  frontier: number
  /** The places of the ready rows, as numbers on the axis. */
  rows: number[]
  /** The expected number of rows for each unit of the axis beyond `frontier`. */
  density: number
}

function reachOf(stream: ListStream, { by, direction }: Merge): PartReach {
  const sign = direction === 'asc' ? 1 : -1
  const axis = (place: Place) => sign * measure(place, by)
  const { origin, frontier, rows } = stream.reach()
  const places = Array.from({ length: stream.ready() }, (_, index) => axis(stream.peek(index) ?? ''))
  if (stream.done() || origin === undefined || frontier === undefined) {
    return { stream, frontier: Number.NEGATIVE_INFINITY, rows: places, density: 0 }
  }
  const way = Math.max(axis(frontier) - axis(origin), SMALLEST_STEP)
  return { stream, frontier: axis(frontier), rows: places, density: rows / way }
}

/**
 * Estimates the number on the axis up to which the merge has `want` rows, from the ready rows and the parts' densities.
 */
function expectedReach(reaches: PartReach[], want: number): number {
  const expected = (target: number) =>
    reaches.reduce(
      (sum, { rows, density, frontier }) =>
        sum +
        rows.filter(row => row <= target).length +
        (density > 0 ? density * Math.max(0, target - frontier) : 0),
      0,
    )
  const frontiers = reaches.filter(({ stream }) => !stream.done()).map(({ frontier }) => frontier)
  let low = Math.min(...frontiers)
  if (!Number.isFinite(low) || reaches.every(({ density }) => density === 0)) return Number.POSITIVE_INFINITY
  let step = 1
  while (expected(low + step) < want) step *= 2
  let high = low + step
  while (high - low > Math.max(SMALLEST_STEP, step / 64)) {
    const middle = (low + high) / 2
    if (expected(middle) < want) low = middle
    else high = middle
  }
  return high
}

function measure(place: Place, by: Order['by']): number {
  const parts = decodePlace(place)
  if (!parts) return 0
  const withinBlock = Math.min(parts.logIndex, 9999) * SMALLEST_STEP
  return (by === 'time' ? parts.seconds : parts.blockNumber) + withinBlock
}
