import { useState } from 'preact/hooks'
import type { Bar } from '../activity/count-bars.ts'
import type { Span } from '../activity/cut-bars.ts'
import { type Activity, kindsIn } from '../activity/read-activity.ts'
import { type Question, withParameters } from '../question/question.ts'
import { KIND_LABELS, KINDS } from '../show/event-kinds.ts'
import { groupDigits } from '../show/short-texts.ts'
import { spanLabel, timeValue } from '../show/times.ts'
import type { ActivityState } from '../state/use-activity.ts'
import type { Navigate } from '../state/use-question.ts'
import { ActivityTable } from './activity-table.tsx'
import { Chart } from './chart.tsx'
import { LastSpans } from './last-spans.tsx'

interface ActivityPanelOptions {
  question: Question
  navigate: Navigate
  state: ActivityState
}

/** When it happened: a chart that narrows the span, and the same as a table for whoever cannot drag or see. */
export function ActivityPanel({
  question,
  navigate,
  state: { activity, isReading, error },
}: ActivityPanelOptions) {
  const [pointed, setPointed] = useState<number>()
  const narrow = ({ from, to }: Span) =>
    navigate(withParameters(question, { fromTime: [timeValue(from)], toTime: [timeValue(to)] }))
  const bar = pointed === undefined ? undefined : activity?.bars[pointed]
  return (
    <section class="card activity" aria-label="Activity over time" aria-busy={isReading}>
      <header>
        <h3>Activity</h3>
        <LastSpans question={question} navigate={navigate} />
      </header>
      {isReading && <div class="skeleton chart-room" />}
      {error !== undefined && <p class="quiet">The events could not be counted over time.</p>}
      {!isReading && !activity && error === undefined && (
        <p class="quiet">There is nothing to draw: no events, or all of them at one time.</p>
      )}
      {activity && (
        <>
          <Legend activity={activity} />
          <Chart activity={activity} onPoint={setPointed} onSelect={narrow} />
          <p class="readout">
            {bar ? inWords(bar) : 'Drag over the bars to narrow the time, or choose one.'}
          </p>
          <Honesty activity={activity} />
          <details>
            <summary>As a table</summary>
            <ActivityTable activity={activity} narrow={narrow} />
          </details>
        </>
      )}
    </section>
  )
}

function inWords(bar: Bar): string {
  const parts = KINDS.flatMap(kind => {
    const count = bar.counts.get(kind) ?? 0
    return count > 0 ? [`${groupDigits(count)} ${KIND_LABELS[kind]}`] : []
  })
  const least = bar.isAtLeast ? 'at least ' : ''
  return `${spanLabel(bar)}: ${parts.length > 0 ? least + parts.join(', ') : 'nothing'}`
}

const Legend = ({ activity }: { activity: Activity }) => (
  <ul class="legend">
    {kindsIn(activity).map(kind => (
      <li key={kind}>
        <i data-kind={kind} />
        {KIND_LABELS[kind]}
      </li>
    ))}
  </ul>
)

/** What the chart does not show. */
function Honesty({ activity: { bars, isWhole } }: { activity: Activity }) {
  const [first] = bars
  const isCapped = bars.some(({ isAtLeast }) => isAtLeast)
  if (isWhole && !isCapped) return null
  return (
    <p class="note">
      {!isWhole &&
        first &&
        `There are more events than are counted: the chart begins at ${spanLabel({ ...first, to: first.from })}. `}
      {isCapped && 'Hatched bars are at least as high as shown. '}
      Choose a span to see another part.
    </p>
  )
}
