import { useState } from 'preact/hooks'
import type { EventsClient } from '../../../client/create-events-client.ts'
import type { EventKind } from '../../../client/records.ts'
import { KIND_LABELS } from '../../../events/event-kinds.ts'
import type { Span } from '../activity/cut-bars.ts'
import {
  type Activity,
  type Bar,
  isLogarithmic,
  KINDS,
  kindsIn,
  secondsOf,
} from '../activity/read-activity.ts'
import { withParameters } from '../question/question.ts'
import { groupDigits } from '../show/short-texts.ts'
import { formatDate, formatTime, spanLabel, timeValue } from '../show/times.ts'
import { focusOn } from '../state/place.ts'
import type { ActivityState } from '../state/use-activity.ts'
import type { Events } from '../state/use-events.ts'
import type { Navigate } from '../state/use-question.ts'
import { ActivityTable } from './activity-table.tsx'
import { Chart } from './chart.tsx'
import { LastSpans } from './last-spans.tsx'

interface ActivityPanelOptions {
  events: Events
  navigate: Navigate
  client: EventsClient
  state: ActivityState
}

/** Spans can be chosen in the chart or the table, because not every reader can see a chart or drag over it. */
export function ActivityPanel({ events, navigate, client, state }: ActivityPanelOptions) {
  const { question } = events
  const { activity, isReading, error } = state
  const [pointed, setPointed] = useState<number>()
  const narrow = ({ from, to }: Span) =>
    navigate(withParameters(question, { fromTime: [timeValue(from)], toTime: [timeValue(to)] }))
  const narrowByKey = (span: Span) => {
    narrow(span)
    focusOn('activity')
  }
  const [record] = events.records
  const end = activity?.bars.at(-1)?.to ?? (record && secondsOf(record))
  const bar = pointed === undefined ? undefined : activity?.bars[pointed]
  const reason = isReading || activity ? undefined : reasonOf(events, error)
  return (
    <section class="card activity" aria-label="Activity over time" aria-busy={isReading}>
      <header>
        <h3 id="activity" tabIndex={-1}>
          Activity
        </h3>
        <Legend kinds={activity ? kindsIn(activity) : []} />
        <LastSpans question={question} end={end} navigate={navigate} client={client} />
      </header>
      {isReading && (
        <>
          <div class="skeleton chart-room" />
          <p class="readout quiet">Counting…</p>
          <p class="hint quiet" />
          <div class="unfolding" />
        </>
      )}
      {reason && <p class="quiet reason">{reason}</p>}
      {activity && (
        <>
          <Chart activity={activity} onPoint={setPointed} onSelect={narrow} />
          <p class="readout quiet">
            {bar ? inWords(bar) : isLogarithmic(activity.bars) ? LOGARITHMIC : 'Events per bar.'}
          </p>
          <p class="hint quiet">{hintOf(activity)}</p>
          <details class="unfolding">
            <summary>As a table</summary>
            <ActivityTable activity={activity} narrow={narrowByKey} />
          </details>
        </>
      )}
    </section>
  )
}

function reasonOf({ records, total }: Events, error: unknown): string {
  if (error !== undefined)
    return 'There is no chart, because the events could not be counted over time. Reload the page to try again.'
  const [record] = records
  if (!record) return 'There is no chart, because there are no events.'
  const count = typeof total === 'object' ? total.count : records.length
  const when = `${formatDate(record.createdAt)}, ${formatTime(record.createdAt)}`
  return count === 1
    ? `There is no chart, because there is only one event, at ${when}.`
    : `There is no chart, because all ${groupDigits(count)} events happened at ${when}.`
}

const LOGARITHMIC = 'Logarithmic scale: each line is ten times the one below it.'

function inWords(bar: Bar): string {
  const parts = KINDS.flatMap(kind => {
    const count = bar.counts.get(kind) ?? 0
    return count > 0 ? [`${groupDigits(count)} ${KIND_LABELS[kind]}`] : []
  })
  const least = bar.isAtLeast ? 'at least ' : ''
  return `${spanLabel(bar)}: ${parts.length > 0 ? least + parts.join(', ') : 'nothing'}`
}

const Legend = ({ kinds }: { kinds: readonly EventKind[] }) => (
  <ul class="legend">
    {kinds.map(kind => (
      <li key={kind}>
        <i data-kind={kind} />
        {KIND_LABELS[kind]}
      </li>
    ))}
  </ul>
)

function hintOf({ bars, isWhole }: Activity): string {
  const [first] = bars
  const isCapped = bars.some(({ isAtLeast }) => isAtLeast)
  return [
    !isWhole &&
      first &&
      `Too many events to count, so the chart begins at ${spanLabel({ ...first, to: first.from })}.`,
    isCapped && 'Hatched bars show minimum counts.',
    isWhole && !isCapped
      ? 'Drag over the bars, or click a bar, to narrow the time span.'
      : 'Choose a time span to see another part.',
  ]
    .filter(Boolean)
    .join(' ')
}
