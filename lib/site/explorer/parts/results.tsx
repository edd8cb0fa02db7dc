import { useContext, useEffect, useState } from 'preact/hooks'
import type { EventsClient } from '../../../client/create-events-client.ts'
import { isMint, type Occurrence } from '../occurrence/occurrences-of.ts'
import { type Question, writeQuestion } from '../question/question.ts'
import { hasRelation, relationFilters, withRelation } from '../question/relation-filters.ts'
import { isNewestFirst } from '../question/request-of.ts'
import { counted, groupDigits } from '../show/short-texts.ts'
import type { Events, EventsActions } from '../state/use-events.ts'
import type { Asked } from '../state/use-question.ts'
import { Announce } from './announcer.tsx'
import { Empty } from './empty.tsx'
import { EventTable } from './event-table.tsx'
import { Formats } from './formats.tsx'
import { Problem } from './problem.tsx'
import { ReadOn } from './read-on.tsx'
import { Unmatchable } from './unmatchable.tsx'

/** The number of rows to draw in one step: more than fill a screen, but too few to cause a noticeable pause. */
const PHONE_SHARE = 4
const TABLE_SHARE = 12

interface ResultsOptions extends Pick<EventsActions, 'readOn'> {
  asked: Asked
  events: Events
  occurrences: readonly Occurrence[]
  /** The reason why no event can match a parameter, by parameter name. */
  unmatchable: ReadonlyMap<string, string>
  isNarrow: boolean
  client: EventsClient
}

export function Results(options: ResultsOptions) {
  const { asked, events, occurrences, unmatchable, isNarrow, client, readOn } = options
  const { question, records, page, isLoading, error } = events
  const announce = useContext(Announce)
  // If the reader has returned to the view, all rows are drawn at once, so that the page can scroll as far as before.
  const drawn = useGrowing(occurrences, {
    isAtOnce: asked.isReturn,
    share: isNarrow ? PHONE_SHARE : TABLE_SHARE,
  })
  const isEmpty = page !== undefined && page.next === undefined && records.length === 0
  const line = page ? countLine(events, occurrences.length) : ''
  useEffect(() => {
    if (line !== '') announce(line)
  }, [line, announce])
  const problem = error !== undefined && <Problem error={error} question={question} onRetry={readOn} />
  if (problem && !page) return problem
  return (
    <section
      class="card results"
      aria-label="Events"
      aria-busy={isLoading || drawn.length < occurrences.length}
    >
      <header>
        <h3>Events</h3>
        <p class="quiet count">{line}</p>
        {!isEmpty && <Formats key={writeQuestion(question)} events={events} client={client} />}
        <RelationBar question={question} />
      </header>
      <div id="events" tabIndex={-1}>
        {isEmpty &&
          (unmatchable.size > 0 ? (
            <Unmatchable question={question} refusals={unmatchable} />
          ) : (
            <Empty question={question} finalizedThrough={page.finalizedThrough} />
          ))}
        {records.length > 0 && <EventTable question={question} occurrences={drawn} nowMs={Date.now()} />}
      </div>
      {occurrences.some(({ records: [record, partner] }) => isMint(record) && !partner) && (
        <p class="note">
          A contract that announces a mint (Mint notice) also emits a transfer of the same tokens. Sums of
          quantities must count transfers only.
        </p>
      )}
      {isLoading && (
        <div class="rows" aria-hidden="true">
          {Array.from({ length: page ? 2 : 12 }, (_, row) => (
            <div key={row} class="skeleton row" />
          ))}
        </div>
      )}
      {page?.isPartial && !isLoading && (
        <p class="note">
          The page is not full, because one request can read only so much. Nothing is left out: the next
          request continues exactly here.
        </p>
      )}
      {problem}
      {page && !isEmpty && !problem && (
        <ReadOn page={page} isLoading={isLoading} isNewestFirst={isNewestFirst(question)} readOn={readOn} />
      )}
    </section>
  )
}

function RelationBar({ question }: { question: Question }) {
  const filters = relationFilters(question)
  if (filters.length === 0) return null
  return (
    <nav class="relations" aria-label="Relation">
      {[undefined, ...filters].map(filter => (
        <a
          key={filter?.name}
          class="button small"
          href={writeQuestion(withRelation(question, filter)) || '?'}
          title={filter?.meaning ?? 'All events'}
          aria-current={hasRelation(question, filter) ? 'true' : undefined}
        >
          {filter?.name ?? 'All'}
        </a>
      ))}
    </nav>
  )
}

function countLine({ question, records, total }: Events, rows: number): string {
  const order = isNewestFirst(question) ? 'newest first' : 'oldest first'
  const inRows = rows < records.length ? ` in ${counted(rows, 'row')}` : ''
  const all =
    typeof total === 'object' ? ` of ${groupDigits(total.count)}${total.isExact ? '' : '+'}` : ' shown'
  return `${groupDigits(records.length)}${all}${inRows}, ${order}`
}

/** Returns `share` more items in each step, so that the browser can respond to the reader between steps. */
function useGrowing<Item>(
  items: readonly Item[],
  { share, isAtOnce }: { share: number; isAtOnce: boolean },
): readonly Item[] {
  const [count, setCount] = useState(share)
  const isWhole = isAtOnce || count >= items.length
  const isNew = items.length === 0
  useEffect(() => {
    if (isNew) setCount(share)
    if (isWhole) return undefined
    const timer = setTimeout(() => setCount(count + share))
    return () => clearTimeout(timer)
  }, [isNew, isWhole, count, share])
  return isWhole ? items : items.slice(0, count)
}
