import { useEffect, useMemo } from 'preact/hooks'
import { createEventsClient, InvalidParametersError } from '../client/create-events-client.ts'
import { Examples } from './parts/examples.tsx'
import { FilterPanel } from './parts/filter-panel.tsx'
import { Freshness } from './parts/freshness.tsx'
import { RequestPanel } from './parts/request-panel.tsx'
import { Results } from './parts/results.tsx'
import { SearchForm } from './parts/search-form.tsx'
import { Subject } from './parts/subject.tsx'
import { requestOf } from './question/request-of.ts'
import { subjectOf } from './question/subject-of.ts'
import { explainUnmatchable } from './show/explain-unmatchable.ts'
import { titleOf } from './show/title-of.ts'
import { useEvents } from './state/use-events.ts'
import { useLinks } from './state/use-links.ts'
import { useQuestion } from './state/use-question.ts'

interface AppOptions {
  /** Where the service is, with a slash at the end. */
  baseUrl: string
}

/** The page for people: what happened to a wallet or a token. */
export function App({ baseUrl }: AppOptions) {
  const client = useMemo(() => createEventsClient(baseUrl), [baseUrl])
  const [asked, navigate] = useQuestion()
  const { question } = asked
  useLinks(navigate)
  const [events, { readOn }] = useEvents(asked, client)
  const unmatchable = explainUnmatchable(events.page?.unmatchable ?? [], requestOf(events.question))
  const refusals = new Map([...refusalsIn(events.error), ...unmatchable])
  const request = requestOf(question)
  // There `address` is the wallet, and no filter.
  const ofWallet = request.endpoint === 'user-events' ? refusals.get('address') : undefined
  if (ofWallet !== undefined) refusals.delete('address')
  const nowMs = Date.now()
  useEffect(() => {
    document.title = titleOf(question)
  }, [question])
  return (
    <>
      <SearchForm question={question} client={client} navigate={navigate} refusal={ofWallet} />
      {subjectOf(question).text === '' && <Examples records={events.records} />}
      <Subject question={question} />
      <div class="columns">
        <FilterPanel question={question} navigate={navigate} refusals={refusals} />
        <div class="answer">
          <Results
            events={events}
            client={client}
            navigate={navigate}
            unmatchable={unmatchable}
            baseUrl={baseUrl}
            nowMs={nowMs}
            readOn={readOn}
          />
          <RequestPanel request={request} baseUrl={baseUrl} />
          <Freshness indexedThrough={events.page?.indexedThrough} nowMs={nowMs} />
        </div>
      </div>
    </>
  )
}

function refusalsIn(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof InvalidParametersError)) return new Map()
  return new Map(error.errors.map(({ parameter, message }) => [parameter, message]))
}
