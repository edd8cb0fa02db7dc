import { decodePlace, type Place, type PlaceParts } from '../../events/place.ts'
import type { MergePlan } from '../plan-query.ts'
import type { ListStream } from './event-stream.ts'
import { atSamePrice } from './row-price.ts'

/**
 * The first read of a part requests this fraction of an equal share of the page, and shows how dense the part is. With
 * a whole share, pages of 500 records cost 20 % more read units in `npm run bench:cost`, with the same number of round
 * trips.
 */
const FIRST_SHARE = 1 / 5
/**
 * The maximum number of parts that a round after the first may read, because the budget is checked only between rounds,
 * and each part with tested rows may read 1 MB.
 */
const PARTS_AT_ONCE = 10
/** The number of rows to read beyond the expected number, so that a typical page needs no third round. */
const DENSITY_MARGIN = 2
/** Places become numbers on an axis of time or block number, on which consecutive log indexes are this far apart. */
const SMALLEST_STEP = 1e-4

interface Order extends Pick<MergePlan, 'by' | 'direction'> {
  compare: (a: Place, b: Place) => number
}

/**
 * Returns how many rows to read from each part so that `want` merged rows become ready. The first round reads the same
 * number of rows from each part, because no row is ready until every part has started. Later rounds know how dense the
 * parts are, so they estimate the point at which the merge has `want` rows, and the number of rows in each part up to
 * this point. A part that has already reached this point is not read, unless the merge is waiting for the part.
 */
export function rowsWanted(
  streams: readonly ListStream[],
  want: number,
  order: Order,
): { stream: ListStream; rows: number }[] {
  const fresh = streams.filter(stream => !stream.done() && !stream.begun())
  if (fresh.length > 0) {
    const share = Math.min(want, atSamePrice((FIRST_SHARE * want) / streams.length))
    return fresh.map(stream => ({ stream, rows: share }))
  }
  const axis = axisFor(streams, order)
  const reaches = streams.map(stream => reachOf(stream, axis))
  const open = reaches.filter(({ stream }) => !stream.done())
  const least = Math.min(...open.map(({ frontier }) => frontier))
  const target = expectedReach(reaches, { want, least })
  return open
    .filter(({ frontier }) => frontier < target || frontier === least)
    .sort((a, b) => a.frontier - b.frontier)
    .slice(0, PARTS_AT_ONCE)
    .map(({ stream, frontier, density, rows }) => {
      const missing = Math.max(0, want - rows.length)
      const expected =
        density === 0 ? missing : Math.ceil(density * Math.max(0, target - frontier)) + DENSITY_MARGIN
      // The density before a crowded block says nothing about the block, so the awaited part is read in growing steps.
      const grown = frontier === least ? stream.reach().rows : 0
      return { stream, rows: Math.max(1, Math.min(missing, atSamePrice(Math.max(expected, grown)))) }
    })
}

interface PartReach {
  stream: ListStream
  /** How far the part has been read, as a number on the axis. Numbers on the axis grow in the direction of reading. */
  frontier: number
  /** The places of the ready rows, as numbers on the axis. */
  rows: number[]
  /** The expected number of rows for each unit of the axis beyond `frontier`. 0 if everything has been read. */
  density: number
}

type Axis = (place: Place) => number

function reachOf(stream: ListStream, axis: Axis): PartReach {
  const { origin, frontier, rows } = stream.reach()
  const places = Array.from({ length: stream.ready() }, (_, index) => axis(stream.peek(index) ?? ''))
  const reached = frontier === undefined ? Number.NEGATIVE_INFINITY : axis(frontier)
  if (stream.done() || origin === undefined) return { stream, frontier: reached, rows: places, density: 0 }
  const way = Math.max(reached - axis(origin), SMALLEST_STEP)
  return { stream, frontier: reached, rows: places, density: rows / way }
}

/** Estimates the point on the axis at which the merge has `want` rows. `least` is the lowest frontier. */
function expectedReach(reaches: PartReach[], { want, least }: { want: number; least: number }): number {
  const expected = (target: number) =>
    reaches.reduce(
      (sum, { rows, density, frontier }) =>
        sum +
        rows.filter(row => row <= target).length +
        (density > 0 ? density * Math.max(0, target - frontier) : 0),
      0,
    )
  if (reaches.every(({ density }) => density === 0)) return Number.POSITIVE_INFINITY
  let low = least
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

/**
 * The merge waits for the part whose frontier comes first. Places in the same second (or with the same block number) as
 * this frontier, but in another block, are moved by a whole unit on the axis, so that no other part seems to have a
 * lower frontier. Otherwise, rounds could read parts that the merge does not wait for.
 */
function axisFor(streams: readonly ListStream[], { by, direction, compare }: Order): Axis {
  const [awaited = ''] = streams
    .flatMap(stream => (stream.done() ? [] : (stream.reach().frontier ?? [])))
    .sort(compare)
  const from = decodePlace(awaited)
  const unitOf = ({ seconds, blockNumber }: PlaceParts) => (by === 'time' ? seconds : blockNumber)
  const sign = direction === 'asc' ? 1 : -1
  return place => {
    const parts = decodePlace(place)
    if (!parts) return 0
    const number = sign * (unitOf(parts) + Math.min(parts.logIndex, 9999) * SMALLEST_STEP)
    const isTied = from !== undefined && unitOf(parts) === unitOf(from)
    const isSameBlock = parts.blockNumber === from?.blockNumber && parts.network === from.network
    return isTied && !isSameBlock ? number + Math.sign(compare(place, awaited)) : number
  }
}
