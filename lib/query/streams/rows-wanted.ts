import { decodePlace, type Place } from '../../events/place.ts'
import type { Direction, Order } from '../query.ts'
import type { ListStream } from './event-stream.ts'
import { atSamePrice } from './row-price.ts'

interface Merge {
  want: number
  /** The order in which the merge goes on. */
  compare: (a: Place, b: Place) => number
  by: Order['by']
  direction: Direction
}

/**
 * The part of an equal share that is read of each network at first, to see how dense each is. Measured
 * with `npm run bench:cost`: a whole share of 500 records costs a fifth more read units, and saves no round trip.
 */
const FIRST_SHARE = 1 / 5
/** Read on in one round, between which the budget is looked at: of each, a reading of rows that are tested may take 1 MB. */
const PARTS_AT_ONCE = 10
/** Rows more than the density promises, so that a usual page needs no third round. */
const DENSITY_MARGIN = 2
/** Places of one block share their time and number; this is how finely the axis tells them apart. */
const SMALLEST_STEP = 1e-4

/**
 * How many rows to read from each part so that `want` merged rows become ready. At first an equal share
 * from each; then as many as each should hold up to where the merge is expected to reach, as dense as
 * it has been so far. Parts that have been read so far already are left alone,
 * except the one that the merge waits for.
 */
export function rowsWanted(streams: ListStream[], merge: Merge): { stream: ListStream; rows: number }[] {
  const open = streams.filter(stream => !stream.done())
  const { want } = merge
  const fresh = open.filter(stream => !stream.begun())
  if (fresh.length > 0) {
    const share = Math.min(want, atSamePrice((FIRST_SHARE * want) / streams.length))
    // All of them, for the merge goes on only when each has begun; the more there are, the less is read of each.
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

/** The part that the merge waits for. The axis cannot always tell: within a block it mixes the networks. */
const laggard = (open: ListStream[], { compare }: Merge) =>
  open.reduce<ListStream | undefined>(
    (a, b) => (a && compare(frontierOf(a), frontierOf(b)) <= 0 ? a : b),
    undefined,
  )

const frontierOf = (stream: ListStream): Place => stream.reach().frontier ?? ''

interface PartReach {
  stream: ListStream
  /** On the merge's axis, growing in the direction of reading. */
  frontier: number
  /** Where the rows that wait to be merged stand. */
  rows: number[]
  /** Rows for each step of the axis beyond the frontier. */
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

/** Where on the axis the merge should have `want` rows, by what is known and what is to be expected. */
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
