import type { Network } from '../../events/networks.ts'
import { compareByBlock, compareByTime, networkOf, type Place } from '../../events/place.ts'
import type { ListsPlan, MergePlan } from '../plan-query.ts'
import { asNetworks, type Position } from '../position.ts'
import type { EventStream, ListStream, StreamContext, StreamScope } from './event-stream.ts'
import { readLists } from './read-lists.ts'
import { rowsWanted } from './rows-wanted.ts'

export function openRows(
  plan: ListsPlan | MergePlan,
  scope: StreamScope,
  context: StreamContext,
): EventStream {
  return plan.read === 'lists' ? readLists(plan, scope, context) : mergeParts(plan, scope, context)
}

type ComparePlaces = (a: Place, b: Place) => number

/** Rows are ready up to the place that every part has reached. */
function mergeParts(plan: MergePlan, scope: StreamScope, context: StreamContext): EventStream {
  const inOrder = plan.by === 'time' ? compareByTime : compareByBlock
  const compare: ComparePlaces = plan.direction === 'asc' ? inOrder : (a, b) => inOrder(b, a)
  const start = plan.by === 'block' ? asNetworks(scope.from) : scope.from
  const parts = plan.parts.map(part => {
    const { network, isConsistent } = part
    const from = partStart(part, start)
    const stream = from === 'end' ? undefined : readLists(part, { ...scope, from }, context)
    return { network, isConsistent, stream }
  })
  const streams = parts.flatMap(({ stream }) => stream ?? [])
  /** The stream of each ready row, in merged order. */
  let sequence: ListStream[] = []
  /** All rows of all parts up to this place have been taken. */
  let takenThrough = start?.at === 'networks' ? start.last : start?.place
  /** The last row taken from each network. All rows of the network's parts up to this row have been taken. */
  const lastTaken = new Map<Network | undefined, Place>()

  const isDone = () => streams.every(stream => stream.done())

  return {
    async fill(want) {
      if (want <= sequence.length) return
      if (sequence.length === 0) takenThrough = further(takenThrough, horizonOf(streams, compare), compare)
      const wanted = rowsWanted(streams, want, { ...plan, compare })
      await Promise.all(wanted.map(({ stream, rows }) => stream.fill(stream.ready() + rows)))
      for (const stream of streams) dropUpTo(stream, takenThrough, compare)
      sequence = mergedSequence(streams, compare)
    },
    ready: () => sequence.length,
    take(count) {
      const rows = sequence.splice(0, count).flatMap(stream => stream.take(1))
      takenThrough = rows.at(-1)?.place ?? takenThrough
      for (const { place } of rows) lastTaken.set(networkOf(place), place)
      return rows
    },
    skip(count) {
      return this.take(count).length
    },
    done: isDone,
    position() {
      if (plan.by === 'block') {
        const places = positionsByNetwork(parts, { lastTaken, compare })
        return { at: 'networks', places, ...(takenThrough !== undefined && { last: takenThrough }) }
      }
      const place = (sequence.length === 0 && horizonOf(streams, compare)) || takenThrough
      return place === undefined ? undefined : { at: 'place', place }
    },
  }
}

interface Part {
  network: Network | undefined
  isConsistent: boolean | undefined
  /** Undefined if earlier pages have taken all rows of the part. */
  stream: ListStream | undefined
}

/**
 * A part that is read consistently can always get more rows. After an earlier page was read, blocks up to this page's
 * `minBlock` may have been stored, or their events may have reached the index. Even if the network's place is `end`,
 * such a part is therefore read again from its start, and the rows up to `last` are dropped.
 */
function partStart({ network, isConsistent }: ListsPlan, from: Position | undefined) {
  if (from?.at !== 'networks') return from
  const place = network && from.places[network]
  if (place === 'end' && isConsistent) return undefined
  return place === undefined || place === 'end' ? place : ({ at: 'place', place } as const)
}

/**
 * Returns for each network the place up to which all its parts are complete. Networks that have not been read are
 * omitted.
 */
function positionsByNetwork(
  parts: readonly Part[],
  { lastTaken, compare }: { lastTaken: ReadonlyMap<Network | undefined, Place>; compare: ComparePlaces },
): PlacesByNetwork {
  const places: PlacesByNetwork = {}
  for (const [network, own] of Map.groupBy(parts, part => part.network)) {
    if (network === undefined)
      throw new TypeError('In a merge by block number, each part must have exactly one network')
    const unread = own.flatMap(({ stream }) => (!stream || isUsedUp(stream) ? [] : stream))
    // Consistently read parts never end, so they are ignored while another part has more to read. Otherwise, the
    // network's place could not move forward.
    const endless = own.flatMap(({ stream, isConsistent }) => (stream && isConsistent ? stream : []))
    const open = unread.length > 0 ? unread : endless
    const reached = leastOf(
      open.map(stream => stream.position()?.place),
      compare,
    )
    const place = open.length === 0 ? 'end' : further(reached, lastTaken.get(network), compare)
    if (place !== undefined) places[network] = place
  }
  return places
}

type PlacesByNetwork = Extract<Position, { at: 'networks' }>['places']

const isUsedUp = (stream: ListStream) => stream.done() && stream.ready() === 0

/** The place that all unfinished parts have reached. Undefined if a part has not started, or if all parts are done. */
const horizonOf = (streams: ListStream[], compare: ComparePlaces): Place | undefined =>
  leastOf(
    streams.filter(stream => !stream.done()).map(stream => stream.reach().frontier),
    compare,
  )

/** Returns the first place in reading order, or undefined if any place is undefined or there are no places. */
const leastOf = (places: readonly (Place | undefined)[], compare: ComparePlaces): Place | undefined =>
  places.reduce(
    (a, b) => (a === undefined || b === undefined ? undefined : compare(a, b) <= 0 ? a : b),
    places[0],
  )

/** Returns the later of two places in reading order, so that a lagging part does not move the answer back. */
function further(a: Place | undefined, b: Place | undefined, compare: ComparePlaces): Place | undefined {
  return a === undefined || (b !== undefined && compare(b, a) > 0) ? b : a
}

/** Drops rows up to a place that the answer has already passed, because a page must not move back. */
function dropUpTo(stream: ListStream, place: Place | undefined, compare: ComparePlaces): void {
  if (place === undefined) return
  for (let head = stream.peek(0); head !== undefined && compare(head, place) <= 0; head = stream.peek(0)) {
    stream.take(1)
  }
}

function mergedSequence(streams: ListStream[], compare: ComparePlaces): ListStream[] {
  const isDone = streams.every(stream => stream.done())
  const horizon = horizonOf(streams, compare)
  if (!isDone && horizon === undefined) return []
  const heads = streams.map(stream => ({ stream, index: 0, place: stream.peek(0) }))
  const sequence: ListStream[] = []
  for (;;) {
    let next: (typeof heads)[number] | undefined
    for (const head of heads) {
      if (head.place === undefined) continue
      if (next?.place === undefined || compare(head.place, next.place) < 0) next = head
    }
    if (next?.place === undefined) return sequence
    if (horizon !== undefined && compare(next.place, horizon) > 0) return sequence
    sequence.push(next.stream)
    next.index += 1
    next.place = next.stream.peek(next.index)
  }
}
