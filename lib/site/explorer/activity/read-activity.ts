import type { EventKind, EventRecord } from '../../../client/records.ts'
import { countEach } from '../occurrence/count-events.ts'
import { KINDS } from '../occurrence/kind-labels.ts'
import { type Parameters, type Question, withParameters } from '../question/question.ts'
import { MOST_AT_ONCE, requestOf } from '../question/request-of.ts'
import { type Asker, askFirst, askTotal, type Total } from './ask-page.ts'
import { type CountedBars, countBars, timesOf } from './count-bars.ts'
import { cutBars, type Span } from './cut-bars.ts'

/** The number of events of each kind over time. */
export interface Activity extends CountedBars {
  /**
   * Whether the bars show all events of the question. If false, the bars show only the newest events, as many as the
   * service can count.
   */
  isWhole: boolean
  /** All events of the question, if the page has read them. The summary then covers all of them. */
  records?: readonly EventRecord[]
}

/**
 * The most events that the page reads in full and counts itself. The reads take up to four requests, and cost as much
 * as a count by the service.
 */
const MOST_ROWS = 2000
const BARS_OF_ROWS = 40

const DAY = 86_400
/**
 * If the service cannot count all events, the chart covers one of these lengths of time, up to the newest event. If
 * even the shortest length has too many events, its bars say "at least".
 */
const LAST_SECONDS = [3600, DAY, 7 * DAY, 30 * DAY, 365 * DAY]

/**
 * Counts a question's events over time. `total` is the number of all events of the question. Undefined if there are no
 * events, or if all events happened at the same time. Throws the client's errors. For the cost see
 * lib/site/explorer/README.md.
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

/**
 * Counts a complete list of events over time. Undefined if there are no events, or if all events happened at the same
 * time.
 */
export function activityOf(records: readonly EventRecord[]): Activity | undefined {
  const times = records.map(secondsOf)
  const [from, to] = [Math.min(...times), Math.max(...times)]
  if (records.length === 0 || from === to) return undefined
  const { unit, spans } = cutBars({ from, to }, BARS_OF_ROWS)
  const kindsOf = (span: Span) =>
    records.flatMap(({ event }, place) => (isIn(span, times[place] ?? 0) ? [event] : []))
  const bars = spans.map(span => ({ ...span, counts: new Map(countEach(kindsOf(span))), isAtLeast: false }))
  return { unit, bars, isWhole: true, records }
}

/** A span's last second lasts until the next second begins. */
const isIn = ({ from, to }: Span, time: number) => time >= from && time < to + 1

/** The kinds that occur. */
export const kindsIn = ({ bars }: Activity): EventKind[] =>
  KINDS.filter(kind => bars.some(({ counts }) => (counts.get(kind) ?? 0) > 0))

export const secondsOf = ({ createdAt }: EventRecord) => Date.parse(createdAt) / 1000

/**
 * Removes the parameters that order and limit a page, because a chart has no order and no limit. `blockNumber` may list
 * a block and a direction (`asc`, `desc`). Only the direction is removed.
 */
const WITHOUT_ORDER = ({ parameters }: Question): Parameters => ({
  createdAt: [],
  limit: [],
  skip: [],
  blockNumber: (parameters.blockNumber ?? []).filter(value => value !== 'asc' && value !== 'desc'),
})

async function readRows(question: Question, { client, signal }: Asker): Promise<EventRecord[]> {
  const { endpoint, address, query } = requestOf(question, { limit: MOST_AT_ONCE })
  const rows =
    endpoint === 'user-events'
      ? client.eachUserEvent(address, query, { signal })
      : client.eachTokenEvent(query, { signal })
  const records: EventRecord[] = []
  for await (const record of rows) records.push(record)
  return records
}

/** The times of the first and the last event. Undefined if there are no events. */
async function readEnds(question: Question, asker: Asker): Promise<Span | undefined> {
  const [first, last] = await Promise.all([
    askFirst(requestOf(question, { createdAt: 'asc' }), asker),
    askFirst(requestOf(question, { createdAt: 'desc' }), asker),
  ])
  return first && last && { from: secondsOf(first), to: secondsOf(last) }
}

/**
 * Returns the longest span of `LAST_SECONDS` whose events the service can count, or else the shortest span. Tries the
 * shortest span first.
 */
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
