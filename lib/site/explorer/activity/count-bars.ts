import pMap from 'p-map'
import type { EventKind } from '../../../client/records.ts'
import { KINDS } from '../occurrence/kind-labels.ts'
import type { Question } from '../question/question.ts'
import { kindsOf, requestOf } from '../question/request-of.ts'
import { type Asker, askFirst, askTotal } from './ask-page.ts'
import { type BarUnit, cutBars, type Span } from './cut-bars.ts'

export interface CountedBars {
  unit: BarUnit
  bars: Bar[]
}

export interface Bar extends Span {
  counts: ReadonlyMap<EventKind, number>
  /** Whether the span has more events than the service counts. */
  isAtLeast: boolean
}

/** The number of the bar's events. */
export const totalOf = ({ counts }: Pick<Bar, 'counts'>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/** The most bars of a chart whose events the service counts. Each bar needs one request for each kind that occurs. */
const MOST_BARS = 16
const REQUESTS_AT_ONCE = 6

export const timesOf = ({ from, to }: Span) => ({ fromTime: from, toTime: to })

/** Counts the events of each kind in each bar's span. Together these counts cost as much as one count of all events. */
export async function countBars(
  question: Question,
  { span, ...asker }: Asker & { span: Span },
): Promise<CountedBars> {
  const { unit, spans } = cutBars(span, MOST_BARS)
  const firsts = await Promise.all(
    kindsOf(question, KINDS).map(event => askFirst(requestOf(question, { ...timesOf(span), event }), asker)),
  )
  const kinds = firsts.flatMap(record => record?.event ?? [])
  const asked = spans.flatMap(each => kinds.map(event => ({ each, event })))
  const totals = await pMap(
    asked,
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
