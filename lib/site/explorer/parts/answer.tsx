import type { Occurrence } from '../occurrence/occurrences-of.ts'
import { type ActivityState, hasAll } from '../state/use-activity.ts'
import type { Events, EventsActions } from '../state/use-events.ts'
import { useNarrow } from '../state/use-narrow.ts'
import type { Asked, Navigate } from '../state/use-question.ts'
import { ActivityPanel } from './activity-panel.tsx'
import { Freshness } from './freshness.tsx'
import { RequestPanel } from './request-panel.tsx'
import { Results } from './results.tsx'
import { Summary } from './summary.tsx'

interface AnswerOptions extends EventsActions {
  asked: Asked
  events: Events
  /** The occurrences into which the records of `events` are grouped. */
  occurrences: readonly Occurrence[]
  activity: ActivityState
  /** The reason for each parameter that no event can match, by the parameter's name. */
  unmatchable: ReadonlyMap<string, string>
  navigate: Navigate
  baseUrl: string
}

/** Everything that shows the service's answer: the summary, the chart, the rows, and the request as code. */
export function Answer(options: AnswerOptions) {
  const { asked, events, occurrences, activity, unmatchable, navigate, baseUrl, readOn } = options
  const { question } = asked
  const { page, error, isLoading } = events
  const nowMs = Date.now()
  const isNarrow = useNarrow()
  const hasChart = !('transactionHash' in question.parameters) && (page !== undefined || error === undefined)
  const chart = hasChart && <ActivityPanel events={events} navigate={navigate} state={activity} />
  return (
    <>
      {isLoading && !page && <div class="card skeleton summary" />}
      <Summary question={question} occurrences={occurrences} isAll={hasAll(events)} nowMs={nowMs} />
      {!isNarrow && chart}
      <Results
        events={events}
        occurrences={occurrences}
        unmatchable={unmatchable}
        isNarrow={isNarrow}
        isReturn={asked.isReturn}
        baseUrl={baseUrl}
        nowMs={nowMs}
        readOn={readOn}
      />
      {isNarrow && chart}
      <RequestPanel question={question} baseUrl={baseUrl} />
      <Freshness indexedThrough={page?.indexedThrough} auditedThrough={page?.auditedThrough} nowMs={nowMs} />
    </>
  )
}
