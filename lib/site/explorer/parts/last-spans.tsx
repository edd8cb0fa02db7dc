import { useRef } from 'preact/hooks'
import type { EventsClient } from '../../../client/create-events-client.ts'
import { onlyValue, type Question, withParameters } from '../question/question.ts'
import { timeValue } from '../show/times.ts'
import { loadLater } from '../state/load-later.ts'
import type { Navigate } from '../state/use-question.ts'

const DAY = 86_400
const SPANS = [
  ['24 h', DAY],
  ['7 d', 7 * DAY],
  ['30 d', 30 * DAY],
  ['1 y', 365 * DAY],
  ['All', undefined],
] as const

interface LastSpansOptions {
  question: Question
  /** The time of the view's last event, in Unix seconds. */
  end: number | undefined
  navigate: Navigate
  client: EventsClient
}

/** Spans end at the newest event that matches the other filters, because the days before now may have no events. */
export function LastSpans({ question, end, navigate, client }: LastSpansOptions) {
  const [from, to] = [onlyValue(question, 'fromTime'), onlyValue(question, 'toTime')]
  const ever = withParameters(question, { fromTime: [], toTime: [] })
  const since = (until: number, seconds: number | undefined) =>
    seconds === undefined ? '' : timeValue(until - seconds)
  const newest = useRef(0)
  const choose = async (seconds: number | undefined) => {
    const { href } = window.location
    const choice = ++newest.current
    const last =
      seconds &&
      (await loadLater()
        .then(({ askLastTime }) => askLastTime(ever, client))
        .catch(() => undefined))
    // A late answer must not replace what the reader has chosen or opened in the meantime.
    if (choice !== newest.current || window.location.href !== href) return
    const fromTime = since(last || Math.floor(Date.now() / 1000), seconds)
    navigate(fromTime === '' ? ever : withParameters(ever, { fromTime: [fromTime] }))
  }
  return (
    <fieldset class="spans" aria-label="Time span, up to the last event">
      {SPANS.map(([name, seconds]) => (
        <button
          key={name}
          type="button"
          class="button small"
          aria-pressed={to === '' && from === since(end ?? 0, seconds)}
          onClick={() => choose(seconds)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
