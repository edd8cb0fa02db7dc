import pMap from 'p-map'
import type { EventsClient } from '../../../client/create-events-client.ts'
import type { Question } from '../question/question.ts'
import { requestOf } from '../question/request-of.ts'
import { type Asker, askFirst, askTotal, type Total } from './ask-page.ts'
import { cutBars, type Span } from './cut-bars.ts'
import { type Activity, KINDS, secondsOf, wholeQuestion } from './read-activity.ts'

const DAY = 86_400
/**
 * If the service cannot count all events, the chart shows a span of one of these lengths, which ends at the newest
 * event.
 */
const LAST_SECONDS = [3600, DAY, 7 * DAY, 30 * DAY, 365 * DAY]

/** The maximum is low, because each bar needs one request for each kind of event that occurs. */
const MOST_BARS = 16
const REQUESTS_AT_ONCE = 6

/** Returns the time of the question's last event in Unix seconds. Undefined if no event matches. */
export async function askLastTime(question: Question, client: EventsClient): Promise<number | undefined> {
  const { signal } = new AbortController()
  const last = await askFirst(requestOf(question, { createdAt: 'desc' }), { client, signal })
  return last && secondsOf(last)
}

/**
 * Counts the events of a question that has too many to read. Resolves with undefined in the same cases as `activityOf`,
 * and throws the client's errors.
 */
export async function countActivity(
  question: Question,
  { total, ...asker }: Asker & { total: Total },
): Promise<Activity | undefined> {
  const unordered = wholeQuestion(question)
  const ends = await readEnds(unordered, asker)
  if (!ends || ends.from === ends.to) return undefined
  const span = total.isExact ? ends : await lastCountable(unordered, { ...asker, ends })
  const { unit, bars } = await countBars(unordered, { ...asker, span })
  return { unit, bars, isWhole: span.from <= ends.from }
}

async function readEnds(question: Question, asker: Asker): Promise<Span | undefined> {
  const [first, last] = await Promise.all([
    askFirst(requestOf(question, { createdAt: 'asc' }), asker),
    askFirst(requestOf(question, { createdAt: 'desc' }), asker),
  ])
  return first && last && { from: secondsOf(first), to: secondsOf(last) }
}

/** Returns the longest of the `LAST_SECONDS` spans that the service can count, or the shortest if it can count none. */
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

const timesOf = ({ from, to }: Span) => ({ fromTime: from, toTime: to })

/** Counts the events of each kind in each bar. Together, these counts cost about as much as one count of all events. */
async function countBars(
  question: Question,
  { span, ...asker }: Asker & { span: Span },
): Promise<Pick<Activity, 'unit' | 'bars'>> {
  const { unit, spans } = cutBars(span, MOST_BARS)
  const { event: wanted } = question.parameters
  const firsts = await Promise.all(
    KINDS.filter(kind => wanted?.includes(kind) ?? true).map(event =>
      askFirst(requestOf(question, { ...timesOf(span), event }), asker),
    ),
  )
  const kinds = firsts.flatMap(record => record?.event ?? [])
  const totals = await pMap(
    spans.flatMap(each => kinds.map(event => ({ each, event }))),
    ({ each, event }) => askTotal(requestOf(question, { ...timesOf(each), event }), asker),
    { concurrency: REQUESTS_AT_ONCE, signal: asker.signal },
  )
  const bars = spans.map((each, index) => {
    const own = totals.slice(index * kinds.length, (index + 1) * kinds.length)
    return {
      ...each,
      counts: new Map(kinds.map((kind, place) => [kind, own[place]?.count ?? 0])),
      isAtLeast: own.some(({ isExact }) => !isExact),
    }
  })
  return { unit, bars }
}
