/** A span of Unix seconds, including both ends. */
export interface Span {
  from: number
  to: number
}

export type BarUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

interface Step {
  unit: BarUnit
  /** Returns the start of the step that contains this time. */
  start: (seconds: number) => number
  next: (start: number) => number
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The first Monday after the Unix epoch, which was a Thursday. */
const FIRST_MONDAY = 4 * DAY

const STEPS: readonly Step[] = [
  everySeconds('minute', MINUTE),
  everySeconds('minute', 5 * MINUTE),
  everySeconds('minute', 15 * MINUTE),
  everySeconds('hour', HOUR),
  everySeconds('hour', 3 * HOUR),
  everySeconds('hour', 6 * HOUR),
  everySeconds('day', DAY),
  everySeconds('week', 7 * DAY, FIRST_MONDAY),
  everyMonths('month', 1),
  everyMonths('month', 3),
]
const YEARS = everyMonths('year', 12)

/**
 * Uses the smallest step that gives at most `most` bars, or years if no step does. Spans begin and end at whole units
 * of time in UTC, except at the chart's start and end.
 */
export function cutBars(whole: Span, most: number): { unit: BarUnit; spans: Span[] } {
  for (const step of STEPS) {
    const spans = cutBy(step, { whole, most })
    if (spans) return { unit: step.unit, spans }
  }
  return { unit: YEARS.unit, spans: cutBy(YEARS, { whole, most: Number.POSITIVE_INFINITY }) ?? [] }
}

function cutBy({ start, next }: Step, { whole, most }: { whole: Span; most: number }): Span[] | undefined {
  const spans: Span[] = []
  for (let from = start(whole.from); from <= whole.to; from = next(from)) {
    if (spans.length === most) return undefined
    spans.push({ from: Math.max(from, whole.from), to: Math.min(next(from) - 1, whole.to) })
  }
  return spans
}

function everySeconds(unit: BarUnit, seconds: number, offset = 0): Step {
  const start = (time: number) => Math.floor((time - offset) / seconds) * seconds + offset
  return { unit, start, next: from => from + seconds }
}

function everyMonths(unit: BarUnit, months: number): Step {
  const secondsAt = (year: number, month: number) => Date.UTC(year, month) / 1000
  const start = (time: number) => {
    const date = new Date(time * 1000)
    return secondsAt(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months)
  }
  const next = (from: number) => {
    const date = new Date(from * 1000)
    return secondsAt(date.getUTCFullYear(), date.getUTCMonth() + months)
  }
  return { unit, start, next }
}
