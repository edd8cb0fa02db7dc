import { useEffect, useMemo, useRef } from 'preact/hooks'
import { createEventsClient, InvalidParametersError } from '../../client/create-events-client.ts'
import { occurrencesOf } from './occurrence/occurrences-of.ts'
import { ActivityPanel } from './parts/activity-panel.tsx'
import { Announcer } from './parts/announcer.tsx'
import { Examples } from './parts/examples.tsx'
import { FilterPanel } from './parts/filter-panel.tsx'
import { Freshness } from './parts/freshness.tsx'
import { RequestPanel } from './parts/request-panel.tsx'
import { Results } from './parts/results.tsx'
import { SearchForm } from './parts/search-form.tsx'
import { Subject } from './parts/subject.tsx'
import { Summary } from './parts/summary.tsx'
import { isWholeTransaction } from './question/question.ts'
import { requestOf, walletParameter } from './question/request-of.ts'
import { subjectOf, titleOf } from './question/subject-of.ts'
import { explainRefusals, explainUnmatchable } from './show/explain-unmatchable.ts'
import { isLocal, LocalContracts } from './state/local-contracts.ts'
import { hasAll, useActivity } from './state/use-activity.ts'
import { useChecksums } from './state/use-checksums.ts'
import { useEvents } from './state/use-events.ts'
import { useLinks } from './state/use-links.ts'
import { useLive } from './state/use-live.ts'
import { useNarrow } from './state/use-narrow.ts'
import { usePlace } from './state/use-place.ts'
import { useQuestion } from './state/use-question.ts'

interface AppOptions {
  /** The URL of the service, ending with a slash. */
  baseUrl: string
  localContracts: ReadonlySet<string>
}

export function App({ baseUrl, localContracts }: AppOptions) {
  const client = useMemo(() => createEventsClient(baseUrl), [baseUrl])
  const [asked, navigate] = useQuestion()
  const { question } = asked
  useLinks(navigate)
  const [events, { readOn, renew }] = useEvents(asked, client)
  useLive(events, client, renew)
  usePlace(asked, events)
  const { records, page, error, isLoading } = events
  const activity = useActivity(events, client)
  const occurrences = useMemo(() => occurrencesOf(records), [records])
  const checksums = useChecksums(events)
  const unmatchable = new Map([
    ...checksums,
    ...explainUnmatchable(page?.unmatchable ?? [], requestOf(events.question)),
  ])
  const refused = error instanceof InvalidParametersError ? error.errors : []
  const refusals = new Map([...explainRefusals(refused, requestOf(events.question)), ...unmatchable])
  const walletName = walletParameter(question)
  const ofWallet = walletName && refusals.get(walletName)
  if (walletName) refusals.delete(walletName)
  const real = records.filter(record => !isLocal(record, localContracts))
  const networks = [...new Set(real.map(({ network }) => network))].sort()
  // Nothing is drawn below the answer until the first response arrives, because the answer's height is unknown.
  const wasAnswered = useRef(false)
  wasAnswered.current ||= page !== undefined || error !== undefined
  const isNarrow = useNarrow()
  const all = hasAll(events) ? records : activity.activity?.records
  const hasChart = !('transactionHash' in question.parameters) && (page !== undefined || error === undefined)
  const chart = hasChart && <ActivityPanel {...{ events, navigate, client, state: activity }} />
  useEffect(() => {
    document.title = titleOf(question)
  }, [question])
  return (
    <Announcer>
      <LocalContracts.Provider value={localContracts}>
        <SearchForm question={question} client={client} navigate={navigate} refusal={ofWallet} />
        {subjectOf(question).text === '' && <Examples occurrences={occurrences} />}
        <Subject question={question} networks={isLoading && !page ? undefined : networks} />
        <div class={isWholeTransaction(question) ? '' : 'columns'}>
          {!isWholeTransaction(question) && (
            <FilterPanel question={question} navigate={navigate} refusals={refusals} />
          )}
          <div class="answer">
            {wasAnswered.current ? (
              <>
                <div class={hasChart ? 'about' : ''}>
                  {isLoading && !page && <div class="card skeleton summary" />}
                  <Summary question={question} records={all ?? records} isAll={!!all} isOpen={!isNarrow} />
                  {!isNarrow && chart}
                </div>
                <Results {...{ asked, events, occurrences, unmatchable, isNarrow, client, readOn }} />
                {isNarrow && chart}
                <RequestPanel question={question} baseUrl={baseUrl} />
                <Freshness {...page} />
              </>
            ) : (
              <Waiting />
            )}
          </div>
        </div>
      </LocalContracts.Provider>
    </Announcer>
  )
}

/**
 * This placeholder has the same id as the rows, so that a reader who skips to `events` early is at the rows once they
 * appear.
 */
const Waiting = () => (
  <div id="events" class="waiting" tabIndex={-1}>
    <div class="card skeleton summary" />
    <div class="card skeleton" />
  </div>
)
