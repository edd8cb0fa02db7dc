import { useContext, useEffect } from 'preact/hooks'
import type { Total } from '../activity/ask-page.ts'
import { isMint, type Occurrence } from '../occurrence/occurrences-of.ts'
import { isNewestFirst, requestOf } from '../question/request-of.ts'
import { counted, groupDigits } from '../show/short-texts.ts'
import { Announce } from '../state/announce.ts'
import type { Events, EventsActions } from '../state/use-events.ts'
import { useGrowing } from '../state/use-growing.ts'
import { Empty } from './empty.tsx'
import { EventTable } from './event-table.tsx'
import { Formats } from './formats.tsx'
import { Problem } from './problem.tsx'
import { ReadOn } from './read-on.tsx'
import { RelationBar } from './relation-bar.tsx'
import { Unmatchable } from './unmatchable.tsx'

/**
 * The number of rows that are drawn in one step. These rows fill more than a screen, and are drawn without a noticeable
 * pause.
 */
const PHONE_SHARE = 6
const TABLE_SHARE = 12

interface ResultsOptions extends EventsActions {
  events: Events
  /** The occurrences into which the records of `events` are grouped. */
  occurrences: readonly Occurrence[]
  /** The reason for each parameter that no event can match, by the parameter's name. */
  unmatchable: ReadonlyMap<string, string>
  /** Whether the window is narrow. If it is, the downloads are below the rows. */
  isNarrow: boolean
  /**
   * Whether the reader returns to this view. All rows are then drawn at once, so that the page can scroll to the
   * earlier position.
   */
  isReturn: boolean
  baseUrl: string
  nowMs: number
}

/** The rows of the answer and a button for the next page. If there is no answer, the error. */
export function Results(options: ResultsOptions) {
  const { events, occurrences, unmatchable, isNarrow, isReturn, baseUrl, nowMs, readOn } = options
  const { question, records, page, total, isLoading, error } = events
  const announce = useContext(Announce)
  const drawn = useGrowing(occurrences, { isAtOnce: isReturn, share: isNarrow ? PHONE_SHARE : TABLE_SHARE })
  const isEmpty = page !== undefined && page.next === undefined && records.length === 0
  const line = page ? countLine({ occurrences, events, total }) : ''
  const formats = <Formats question={question} baseUrl={baseUrl} />
  useEffect(() => {
    if (line !== '') announce(line)
  }, [line, announce])
  if (error !== undefined && !page)
    return <Problem error={error} request={requestOf(question)} onRetry={readOn} />
  return (
    <section
      class="card results"
      aria-label="Events"
      aria-busy={isLoading || drawn.length < occurrences.length}
    >
      <header>
        <h3>Events</h3>
        <p class="quiet count">{line}</p>
        {!isNarrow && formats}
        <RelationBar question={question} />
      </header>
      <div id="events" tabIndex={-1}>
        {isEmpty &&
          (unmatchable.size > 0 ? (
            <Unmatchable refusals={unmatchable} />
          ) : (
            <Empty question={question} finalizedThrough={page.finalizedThrough} />
          ))}
        {records.length > 0 && <EventTable question={question} occurrences={drawn} nowMs={nowMs} />}
      </div>
      {occurrences.some(({ records: [record, partner] }) => isMint(record) && !partner) && (
        <p class="note">
          A contract that emits Minted or Minted batch emits a transfer of the same tokens, too. Sums of
          quantities must count transfers only.
        </p>
      )}
      {isLoading && <Skeleton rows={page ? 2 : 12} />}
      {page?.isPartial && !isLoading && (
        <p class="note">
          What one request may read ran out before the page was full. Nothing is left out: the next request
          goes on exactly there.
        </p>
      )}
      {error !== undefined && <Problem error={error} request={requestOf(question)} onRetry={readOn} />}
      {isNarrow && formats}
      {page && !isEmpty && error === undefined && (
        <ReadOn page={page} isLoading={isLoading} isNewestFirst={isNewestFirst(question)} readOn={readOn} />
      )}
    </section>
  )
}

interface Shown {
  occurrences: readonly Occurrence[]
  events: Events
  total: Total | 'unknown' | undefined
}

/**
 * The line above the rows, with the number of records. If there are fewer rows than records, the line also has the
 * number of rows.
 */
function countLine({ occurrences, events: { question, records }, total }: Shown): string {
  const order = isNewestFirst(question) ? 'newest first' : 'oldest first'
  const rows = occurrences.length < records.length ? ` in ${counted(occurrences.length, 'row')}` : ''
  const shown = groupDigits(records.length)
  if (total === undefined || total === 'unknown') return `${shown} shown${rows}, ${order}`
  const all = `${groupDigits(total.count)}${total.isExact ? '' : '+'}`
  return `${shown} of ${all}${rows}, ${order}`
}

const Skeleton = ({ rows }: { rows: number }) => (
  <div class="rows" aria-hidden="true">
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} class="skeleton row" />
    ))}
  </div>
)
