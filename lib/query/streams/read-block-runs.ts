import type { EventList } from '../../events/lists.ts'
import {
  blockSpan,
  compareByBlock,
  decodePlace,
  encodePlace,
  endOfBlock,
  type Place,
  type PlaceParts,
} from '../../events/place.ts'
import type { EventRow, EventStore } from '../event-store.ts'
import type { BlockRunsPlan } from '../plan-query.ts'
import { asPlace, type Position } from '../position.ts'
import type { EventStream, ListStream, StreamContext, StreamScope } from './event-stream.ts'
import { readLists } from './read-lists.ts'

/** If the first read reaches the list's end, sorts the rows in memory. Otherwise, reads one network's run at a time. */
export function readBlockRuns(
  { source }: BlockRunsPlan,
  scope: Pick<StreamScope, 'from'>,
  context: StreamContext,
): EventStream {
  const { direction } = source
  const from = asPlace(scope.from)
  const inOrder = (a: Place, b: Place) => (direction === 'asc' ? compareByBlock(a, b) : compareByBlock(b, a))
  let buffer: EventRow[] = []
  let takenThrough: Position | undefined = from
  let whole: ListStream | undefined = from ? undefined : readLists(source, {}, context)
  /** The runs still to read, or undefined until all runs are found. */
  let runs: PlaceParts[] | undefined
  let current: { run: PlaceParts; stream: ListStream } | undefined
  let isDone = false

  return {
    async fill(want) {
      if (buffer.length >= want || isDone) return
      if (whole) await readWhole(whole, want)
      if (isDone) return
      // Each network has at most one run, so a few small calls find all runs. This search is not interrupted, because
      // the stream has no position before the runs are known.
      runs ??= runsFrom(await findRuns(listOfBlock(), context.store))
      await readRun(runs, want)
    },
    ready: () => buffer.length,
    take(count) {
      const rows = buffer.splice(0, count)
      const last = rows.at(-1)
      if (last) takenThrough = { at: 'place', place: last.place }
      return rows
    },
    skip(count) {
      return this.take(count).length
    },
    done: () => isDone,
    position: () => (buffer.length > 0 ? takenThrough : (current?.stream.position() ?? takenThrough)),
  }

  async function readWhole(stream: ListStream, want: number) {
    await stream.fill(want)
    whole = undefined
    if (!stream.done()) return
    buffer = stream.take(stream.ready()).sort((a, b) => inOrder(a.place, b.place))
    isDone = true
  }

  function listOfBlock(): EventList {
    const [choice] = source.lists
    if (!choice) throw new TypeError('A plan must read at least one list')
    return choice.list
  }

  /** Runs that end at or before `from` are omitted. */
  function runsFrom(all: PlaceParts[]): PlaceParts[] {
    const isAhead = (run: PlaceParts) => !from || inOrder(endOfBlock(run, direction), from.place) > 0
    return all.filter(isAhead).sort((a, b) => inOrder(encodePlace(a), encodePlace(b)))
  }

  async function readRun(ahead: PlaceParts[], want: number) {
    if (!current) {
      const run = ahead.shift()
      if (!run) {
        isDone = true
        return
      }
      const resumed = from && isSameBlock(run, from.place) ? from : undefined
      current = { run, stream: readLists(source, { span: blockSpan(run), from: resumed }, context) }
    }
    const { run, stream } = current
    await stream.fill(want - buffer.length)
    buffer.push(...stream.take(stream.ready()))
    if (!stream.done()) return
    current = undefined
    if (buffer.length === 0) takenThrough = { at: 'place', place: endOfBlock(run, direction) }
    isDone = ahead.length === 0
  }
}

function isSameBlock(run: PlaceParts, place: Place): boolean {
  const parts = decodePlace(place)
  return (
    parts?.network === run.network && parts.blockNumber === run.blockNumber && parts.seconds === run.seconds
  )
}

/** Returns the first place of each block in a transaction's or block number's list. Each block takes one small call. */
export async function findRuns(list: EventList, store: EventStore): Promise<PlaceParts[]> {
  const found: PlaceParts[] = []
  for (;;) {
    const last = found.at(-1)
    const page = await store.readList({
      list,
      where: [],
      direction: 'asc',
      limit: 1,
      select: 'places',
      ...(last && { after: blockSpan(last).last }),
    })
    const run = page.rows[0] && decodePlace(page.rows[0].place)
    if (!run) return found
    found.push(run)
  }
}
