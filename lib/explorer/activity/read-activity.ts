import type { EventKind, EventRecord } from '../../client/records.ts'
import { type Parameters, type Question, withParameters } from '../question/question.ts'
import { requestOf } from '../question/request-of.ts'
import { KINDS } from '../show/event-kinds.ts'
import { type Asker, askPage, askTotal, type Total } from './ask-page.ts'
import { type CountedBars, countBars, timesOf } from './count-bars.ts'
import { cutBars, type Span } from './cut-bars.ts'

/** When how many events of which kind happened. */
export interface Activity extends CountedBars {
  /** Whether they show all events of the question; otherwise only the newest, as far back as they can be counted. */
  isWhole: boolean
}

/** Up to here all events are read, and counted here: four requests, at the price of counting them. */
const MOST_ROWS = 2000
const ROWS_AT_ONCE = 500
const BARS_OF_ROWS = 40

const DAY = 86_400
/** Back from the newest event; where even in the first there are more than are counted, its bars say "at least". */
const LAST_SECONDS = [3600, DAY, 7 * DAY, 30 * DAY, 365 * DAY]

/**
 * Counts the events of a question over time, without reading more than the totals themselves cost. `total` is that of
 * the question. Undefined where all of them happened at one time. Throws what the client throws.
 */
export async function readActivity(
  question: Question,
  { total, ...asker }: Asker & { total: Total },
): Promise<Activity | undefined> {
  const unordered = withParameters(question, WITHOUT_ORDER(question))
  if (total.isExact && total.count <= MOST_ROWS) {
    return activityOf(await readRows(unordered, asker))
  }
  const ends = await readEnds(unordered, asker)
  if (!ends || ends.from === ends.to) return undefined
  const span = total.isExact ? ends : await lastCountable(unordered, { ...asker, ends })
  const { unit, bars } = await countBars(unordered, { ...asker, span })
  return { unit, bars, isWhole: span.from <= ends.from }
}

/** The activity of these events, which are all that there are. */
export function activityOf(records: readonly EventRecord[]): Activity | undefined {
  const times = records.map(secondsOf)
  const [from, to] = [Math.min(...times), Math.max(...times)]
  if (records.length === 0 || from === to) return undefined
  const { unit, spans } = cutBars({ from, to }, BARS_OF_ROWS)
  const bars = spans.map(span => ({ ...span, counts: new Map<EventKind, number>(), isAtLeast: false }))
  for (const [index, { event }] of records.entries()) {
    const time = times[index] ?? 0
    const counts = bars.findLast(bar => bar.from <= time)?.counts
    counts?.set(event, (counts.get(event) ?? 0) + 1)
  }
  return { unit, bars, isWhole: true }
}

/** The kinds that occur. */
export const kindsIn = ({ bars }: Activity): EventKind[] =>
  KINDS.filter(kind => bars.some(({ counts }) => (counts.get(kind) ?? 0) > 0))

const secondsOf = ({ createdAt }: EventRecord) => Date.parse(createdAt) / 1000

/** Order and extent of a page have no meaning for a chart. A block number's direction stands beside its filter. */
const WITHOUT_ORDER = ({ parameters }: Question): Parameters => ({
  createdAt: [],
  limit: [],
  skip: [],
  blockNumber: (parameters.blockNumber ?? []).filter(value => value !== 'asc' && value !== 'desc'),
})

async function readRows(question: Question, { client, signal }: Asker): Promise<EventRecord[]> {
  const { endpoint, address, query } = requestOf(question, { limit: ROWS_AT_ONCE })
  const rows =
    endpoint === 'user-events'
      ? client.eachUserEvent(address, query, { signal })
      : client.eachTokenEvent(query, { signal })
  const records: EventRecord[] = []
  for await (const record of rows) records.push(record)
  return records
}

/** When the first and the last of the events happened. */
async function readEnds(question: Question, asker: Asker): Promise<Span | undefined> {
  const [
    {
      records: [first],
    },
    {
      records: [last],
    },
  ] = await Promise.all([
    askPage(requestOf(question, { createdAt: 'asc', limit: 1 }), asker),
    askPage(requestOf(question, { createdAt: 'desc', limit: 1 }), asker),
  ])
  return first && last && { from: secondsOf(first), to: secondsOf(last) }
}

/** The longest of the last spans in which the events can be counted, from the shortest on. */
async function lastCountable(question: Question, { ends, ...asker }: Asker & { ends: Span }): Promise<Span> {
  let countable = ends
  for (const seconds of LAST_SECONDS) {
    const span = { to: ends.to, from: Math.max(ends.from, ends.to - seconds) }
    const { isExact } = await askTotal(requestOf(question, timesOf(span)), asker)
    if (isExact || countable === ends) countable = span
    if (!isExact) break
  }
  return countable
}
