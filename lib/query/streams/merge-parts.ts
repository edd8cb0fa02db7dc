import type { Network } from '../../events/networks.ts'
import { compareByBlock, compareByTime, decodePlace, type Place } from '../../events/place.ts'
import type { MergePlan } from '../plan-query.ts'
import { asNetworks, type Position } from '../position.ts'
import type { EventStream, ListStream, StreamContext, StreamScope } from './event-stream.ts'
import { readLists } from './read-lists.ts'
import { rowsWanted } from './rows-wanted.ts'

type ComparePlaces = (a: Place, b: Place) => number

/** Merges the parts of a plan. Rows are ready up to where every part has been examined. */
export function mergeParts(plan: MergePlan, scope: StreamScope, context: StreamContext): EventStream {
  const inOrder = plan.by === 'time' ? compareByTime : compareByBlock
  const compare: ComparePlaces = plan.direction === 'asc' ? inOrder : (a, b) => inOrder(b, a)
  const start = plan.by === 'block' ? asNetworks(scope.from) : scope.from
  const parts = plan.parts.map(part => {
    const from = partStart(part.network, start)
    const stream = from === 'end' ? undefined : readLists(part, { ...scope, from }, context)
    return { network: part.network, stream }
  })
  const streams = parts.flatMap(({ stream }) => stream ?? [])
  /** Which stream each of the rows that are ready comes from, in merged order. */
  let sequence: ListStream[] = []
  /** Everything up to here has been taken, in all parts. */
  let takenThrough = start?.at === 'networks' ? start.last : start?.place
  /** The last row that was taken of each network: of its parts, all up to there has been. */
  const lastTaken = new Map<Network, Place>()

  const isDone = () => streams.every(stream => stream.done())

  return {
    async fill(want) {
      if (want <= sequence.length) return
      if (sequence.length === 0) takenThrough = further(takenThrough, horizonOf(streams, compare), compare)
      const wanted = rowsWanted(streams, { want, compare, by: plan.by, direction: plan.direction })
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
  /** Undefined where there is nothing left of it. */
  stream: ListStream | undefined
}

function partStart(network: Network | undefined, from: Position | undefined) {
  if (from?.at !== 'networks') return from
  const place = network && from.places[network]
  return place === undefined || place === 'end' ? place : ({ at: 'place', place } as const)
}

interface Progress {
  lastTaken: ReadonlyMap<Network, Place>
  compare: ComparePlaces
}

/** Where each network goes on: all of its parts have been taken up to there. Those that have not begun are left out. */
function positionsByNetwork(parts: readonly Part[], { lastTaken, compare }: Progress): PlacesByNetwork {
  const places: PlacesByNetwork = {}
  for (const [network, own] of Map.groupBy(parts, part => part.network)) {
    if (network === undefined) throw new TypeError('Parts are merged by block within networks only')
    const open = own.flatMap(({ stream }) => (!stream || isUsedUp(stream) ? [] : stream))
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

/** How far all parts that go on have been examined; undefined when one has not begun, or none goes on. */
const horizonOf = (streams: ListStream[], compare: ComparePlaces): Place | undefined =>
  leastOf(
    streams.filter(stream => !stream.done()).map(stream => stream.reach().frontier),
    compare,
  )

/** The first in the order of reading; undefined where one is, or where there are none. */
const leastOf = (places: readonly (Place | undefined)[], compare: ComparePlaces): Place | undefined =>
  places.reduce(
    (a, b) => (a === undefined || b === undefined ? undefined : compare(a, b) <= 0 ? a : b),
    places[0],
  )

function networkOf(place: Place): Network {
  const parts = decodePlace(place)
  if (!parts) throw new RangeError(`${place} is no place of an event`)
  return parts.network
}

/** A part that lags must not take the answer back to where it has been. */
function further(a: Place | undefined, b: Place | undefined, compare: ComparePlaces): Place | undefined {
  return a === undefined || (b !== undefined && compare(b, a) > 0) ? b : a
}

/** Rows that were added meanwhile where the answer has already been: a page must not go back. */
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
