import { onlyValue, type Question, withParameters } from '../question/question.ts'
import { timeValue } from '../show/times.ts'
import type { Navigate } from '../state/use-question.ts'

const DAY = 86_400
const SPANS = [
  ['24 h', DAY],
  ['7 d', 7 * DAY],
  ['30 d', 30 * DAY],
  ['1 y', 365 * DAY],
] as const

interface LastSpansOptions {
  question: Question
  navigate: Navigate
}

/** Buttons for the last day, week, month and year, and for all time. */
export function LastSpans({ question, navigate }: LastSpansOptions) {
  const since = (seconds: number) => timeValue(Math.floor(Date.now() / 1000) - seconds)
  const isAll = onlyValue(question, 'fromTime') === '' && onlyValue(question, 'toTime') === ''
  return (
    <fieldset class="spans" aria-label="Span of time">
      {SPANS.map(([name, seconds]) => (
        <button
          key={name}
          type="button"
          class="button small"
          onClick={() => navigate(withParameters(question, { fromTime: [since(seconds)], toTime: [] }))}
        >
          {name}
        </button>
      ))}
      <button
        type="button"
        class="button small"
        aria-pressed={isAll}
        onClick={() => navigate(withParameters(question, { fromTime: [], toTime: [] }))}
      >
        All
      </button>
    </fieldset>
  )
}
