import type { EventsClient } from '../../client/create-events-client.ts'
import type { Total } from '../activity/ask-page.ts'
import { isNewestFirst, requestOf } from '../question/request-of.ts'
import { groupDigits } from '../show/short-texts.ts'
import { useActivity } from '../state/use-activity.ts'
import type { Events, EventsActions } from '../state/use-events.ts'
import type { Navigate } from '../state/use-question.ts'
import { ActivityPanel } from './activity-panel.tsx'
import { Empty } from './empty.tsx'
import { EventTable } from './event-table.tsx'
import { Formats } from './formats.tsx'
import { Problem } from './problem.tsx'
import { ReadOn } from './read-on.tsx'
import { Unmatchable } from './unmatchable.tsx'

interface ResultsOptions extends EventsActions {
  events: Events
  client: EventsClient
  navigate: Navigate
  /** By parameter: why no event can have its value. */
  unmatchable: ReadonlyMap<string, string>
  baseUrl: string
  nowMs: number
}

/** The answer: its chart, its rows, and how to read on; or why there is none. */
export function Results({ events, client, navigate, unmatchable, baseUrl, nowMs, readOn }: ResultsOptions) {
  const { question, records, page, total, isLoading, error } = events
  const activity = useActivity(events, client)
  const isEmpty = page !== undefined && page.next === undefined && records.length === 0
  if (error !== undefined && !page) return <Problem error={error} onRetry={readOn} />
  return (
    <>
      {!question.parameters.transactionHash && (
        <ActivityPanel question={question} navigate={navigate} state={activity} />
      )}
      <section class="card results" aria-label="Events" aria-busy={isLoading}>
        <header>
          <h3>Events</h3>
          <p role="status" class="quiet">
            {page && countLine({ shown: records.length, total, isNewest: isNewestFirst(question) })}
          </p>
          <Formats request={requestOf(question)} baseUrl={baseUrl} />
        </header>
        {isEmpty &&
          (unmatchable.size > 0 ? (
            <Unmatchable refusals={unmatchable} />
          ) : (
            <Empty question={question} finalizedThrough={page.finalizedThrough} />
          ))}
        {records.length > 0 && <EventTable question={question} records={records} nowMs={nowMs} />}
        {records.some(({ event }) => event === 'Minted' || event === 'MintedBatch') && (
          <p class="note">
            Beside Minted and Minted batch there is a transfer of the same tokens from the zero address. Sums
            of quantities must count transfers only.
          </p>
        )}
        {isLoading && <Skeleton rows={page ? 2 : 8} />}
        {page?.isPartial && !isLoading && (
          <p class="note">
            What one request may read ran out before the page was full. Nothing is left out: the next one goes
            on exactly there.
          </p>
        )}
        {error !== undefined && <Problem error={error} onRetry={readOn} />}
        {page && !isEmpty && error === undefined && (
          <ReadOn page={page} isLoading={isLoading} isNewestFirst={isNewestFirst(question)} readOn={readOn} />
        )}
      </section>
    </>
  )
}

interface Shown {
  shown: number
  total: Total | 'unknown' | undefined
  isNewest: boolean
}

function countLine({ shown, total, isNewest }: Shown): string {
  const order = isNewest ? 'newest first' : 'oldest first'
  if (total === undefined || total === 'unknown') return `${groupDigits(shown)} shown, ${order}`
  const all = `${groupDigits(total.count)}${total.isExact ? '' : '+'}`
  return `${groupDigits(shown)} of ${all}, ${order}`
}

const Skeleton = ({ rows }: { rows: number }) => (
  <div class="rows">
    <span class="unseen">Loading</span>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} class="skeleton row" />
    ))}
  </div>
)
