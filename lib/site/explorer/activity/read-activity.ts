import type { EventKind, EventRecord } from '../../../client/records.ts'
import { KIND_LABELS } from '../../../events/event-kinds.ts'
import { countEach } from '../occurrence/count-events.ts'
import { type Question, withOrder, withParameters } from '../question/question.ts'
import { MOST_AT_ONCE, requestOf } from '../question/request-of.ts'
import { type Asker, askPages, type Total } from './ask-page.ts'
import { type BarUnit, cutBars, type Span } from './cut-bars.ts'

export interface Activity {
  unit: BarUnit
  bars: Bar[]
  /** If false, the bars show only the newest events, because the service cannot count all of them. */
  isWhole: boolean
  /** All events of the question, for the summary. Absent if the events were only counted. */
  records?: readonly EventRecord[]
}

export interface Bar extends Span {
  counts: ReadonlyMap<EventKind, number>
  /** Whether the span contains more events than the service can count. */
  isAtLeast: boolean
}

export const totalOf = ({ counts }: Pick<Bar, 'counts'>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/** Reading this many events takes up to four requests, and costs as much as a count by the service. */
const MOST_ROWS = 2000
const BARS_OF_ROWS = 40

export const isReadable = ({ count, isExact }: Total): boolean => isExact && count <= MOST_ROWS

/**
 * Resolves with undefined in the same cases as `activityOf`, and throws the client's errors. The cost is stated in
 * lib/site/explorer/README.md.
 */
export async function readActivity(question: Question, asker: Asker): Promise<Activity | undefined> {
  const request = requestOf(wholeQuestion(question), { limit: MOST_AT_ONCE })
  const records: EventRecord[] = []
  for await (const page of askPages(request, asker)) records.push(...page.records)
  return activityOf(records)
}

/**
 * `records` must be all events of the question. Undefined if there are no events, or if all happened at the same time.
 */
export function activityOf(records: readonly EventRecord[]): Activity | undefined {
  const times = records.map(secondsOf)
  const [from, to] = [Math.min(...times), Math.max(...times)]
  if (records.length === 0 || from === to) return undefined
  const { unit, spans } = cutBars({ from, to }, BARS_OF_ROWS)
  // `to` is a whole second, so the span ends where the next second begins.
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

export const KINDS = Object.keys(KIND_LABELS) as readonly EventKind[]

export const kindsIn = ({ bars }: Activity): EventKind[] =>
  KINDS.filter(kind => bars.some(({ counts }) => (counts.get(kind) ?? 0) > 0))

export const secondsOf = ({ createdAt }: EventRecord) => Date.parse(createdAt) / 1000

/** Returns the question for the chart's requests, without an order or a limit. */
export const wholeQuestion = (question: Question): Question =>
  withParameters(withOrder(question, []), { limit: [], skip: [] })

/** Bars below this fraction of the highest bar are hardly visible. */
const SEEN_SHARE = 1 / 25

/**
 * Whether a linear scale would hide bars, so that the chart needs a logarithmic scale, on which each grid line is ten
 * times the line below.
 */
export function isLogarithmic(bars: readonly Pick<Bar, 'counts'>[]): boolean {
  const heights = bars.map(totalOf)
  const highest = Math.max(...heights)
  return heights.some(height => height > 0 && height < highest * SEEN_SHARE)
}
