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
   * Whether the bars show all events of the question. If not, they show only the newest ones, as many as the service
   * can count.
   */
  isWhole: boolean
  /** All events of the question, if the page has read them, so that the summary can cover them. */
  records?: readonly EventRecord[]
}

export interface Bar extends Span {
  counts: ReadonlyMap<EventKind, number>
  /** Whether the span contains more events than the service can count. */
  isAtLeast: boolean
}

/** Returns the number of events in a bar. */
export const totalOf = ({ counts }: Pick<Bar, 'counts'>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/**
 * The maximum number of events that the page reads and counts itself. Reading them takes up to four requests, and costs
 * as much as a count by the service.
 */
const MOST_ROWS = 2000
const BARS_OF_ROWS = 40

/** Whether there are few enough events for the page to read them all. */
export const isReadable = ({ count, isExact }: Total): boolean => isExact && count <= MOST_ROWS

/**
 * Reads all events of a question, and counts them over time. Returns undefined if there are no events, or if all
 * happened at the same time. Throws the client's errors. lib/site/explorer/README.md states the cost.
 */
export async function readActivity(question: Question, asker: Asker): Promise<Activity | undefined> {
  const request = requestOf(withoutOrder(question), { limit: MOST_AT_ONCE })
  const records: EventRecord[] = []
  for await (const page of askPages(request, asker)) records.push(...page.records)
  return activityOf(records)
}

/**
 * Counts a complete list of events over time. Returns undefined if there are no events, or if all happened at the same
 * time.
 */
export function activityOf(records: readonly EventRecord[]): Activity | undefined {
  const times = records.map(secondsOf)
  const [from, to] = [Math.min(...times), Math.max(...times)]
  if (records.length === 0 || from === to) return undefined
  const { unit, spans } = cutBars({ from, to }, BARS_OF_ROWS)
  // The last second of a span lasts until the next second begins.
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

/** Returns the kinds that occur. */
export const kindsIn = ({ bars }: Activity): EventKind[] =>
  KINDS.filter(kind => bars.some(({ counts }) => (counts.get(kind) ?? 0) > 0))

export const secondsOf = ({ createdAt }: EventRecord) => Date.parse(createdAt) / 1000

/**
 * Returns the question without the parameters that order or limit a page, because a chart has neither an order nor a
 * limit. `blockNumber` may contain a block and a direction, of which only the direction is removed.
 */
export const withoutOrder = (question: Question): Question =>
  withParameters(question, {
    createdAt: [],
    limit: [],
    skip: [],
    blockNumber: (question.parameters.blockNumber ?? []).filter(value => value !== 'asc' && value !== 'desc'),
  })

/** Bars below this fraction of the highest bar are hardly visible. */
const SEEN_SHARE = 1 / 25

/**
 * Whether a linear scale would hide some bars. If so, the chart uses a logarithmic scale, on which each grid line
 * stands for ten times as many events as the line below it.
 */
export function isLogarithmic(bars: readonly Pick<Bar, 'counts'>[]): boolean {
  const heights = bars.map(totalOf)
  const highest = Math.max(...heights)
  return heights.some(height => height > 0 && height < highest * SEEN_SHARE)
}
