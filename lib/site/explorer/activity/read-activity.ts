import type { EventKind, EventRecord } from '../../../client/records.ts'
import { countEach } from '../occurrence/count-events.ts'
import { KINDS } from '../occurrence/kind-labels.ts'
import { type Question, withParameters } from '../question/question.ts'
import { MOST_AT_ONCE, requestOf } from '../question/request-of.ts'
import { type Asker, askPages, type Total } from './ask-page.ts'
import { type BarUnit, cutBars, type Span } from './cut-bars.ts'

/** The number of events of each kind over time. */
export interface Activity {
  unit: BarUnit
  bars: Bar[]
  /**
   * Whether the bars show all events of the question. If false, the bars show only the newest events, as many as the
   * service can count.
   */
  isWhole: boolean
  /** All events of the question, if the page has read them. The summary then covers all of them. */
  records?: readonly EventRecord[]
}

export interface Bar extends Span {
  counts: ReadonlyMap<EventKind, number>
  /** Whether the span has more events than the service counts. */
  isAtLeast: boolean
}

/** The number of the bar's events. */
export const totalOf = ({ counts }: Pick<Bar, 'counts'>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/**
 * The maximum number of events that the page reads in full and counts itself. The reads take up to four requests, and
 * cost as much as a count by the service.
 */
const MOST_ROWS = 2000
const BARS_OF_ROWS = 40

/** Whether the events are few enough for the page to read them all. */
export const isReadable = ({ count, isExact }: Total): boolean => isExact && count <= MOST_ROWS

/**
 * Reads all events of a question, and counts them over time. Undefined if there are no events, or if all events
 * happened at the same time. Throws the client's errors. For the cost see lib/site/explorer/README.md.
 */
export async function readActivity(question: Question, asker: Asker): Promise<Activity | undefined> {
  const request = requestOf(withoutOrder(question), { limit: MOST_AT_ONCE })
  const records: EventRecord[] = []
  for await (const page of askPages(request, asker)) records.push(...page.records)
  return activityOf(records)
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
  // A span's last second lasts until the next second begins.
  const bySpan = Map.groupBy(records, record => {
    const seconds = secondsOf(record)
    return spans.find(({ to }) => seconds < to + 1)
  })
  const bars = spans.map(span => {
    const kinds = bySpan.get(span)?.map(({ event }) => event) ?? []
    return { ...span, counts: new Map(countEach(kinds)), isAtLeast: false }
  })
  return { unit, bars, isWhole: true, records }
}

/** The kinds that occur. */
export const kindsIn = ({ bars }: Activity): EventKind[] =>
  KINDS.filter(kind => bars.some(({ counts }) => (counts.get(kind) ?? 0) > 0))

export const secondsOf = ({ createdAt }: EventRecord) => Date.parse(createdAt) / 1000

/**
 * The question without the parameters that order and limit a page, because a chart has no order and no limit.
 * `blockNumber` may list a block and a direction (`asc`, `desc`). Only the direction is removed.
 */
export const withoutOrder = (question: Question): Question =>
  withParameters(question, {
    createdAt: [],
    limit: [],
    skip: [],
    blockNumber: (question.parameters.blockNumber ?? []).filter(value => value !== 'asc' && value !== 'desc'),
  })

/** Bars below this share of the highest bar are hardly visible. */
const SEEN_SHARE = 1 / 25

/**
 * Whether a linear scale would hide some bars. The chart then has a logarithmic scale: each grid line stands for ten
 * times the count of the next lower line.
 */
export function isLogarithmic(bars: readonly Pick<Bar, 'counts'>[]): boolean {
  const heights = bars.map(totalOf)
  const highest = Math.max(...heights)
  return heights.some(height => height > 0 && height < highest * SEEN_SHARE)
}
