import { useContext, useEffect } from 'preact/hooks'
import {
  ApiError,
  ConnectionError,
  InvalidParametersError,
  UnavailableError,
} from '../../../client/create-events-client.ts'
import type { EventsRequest } from '../question/request-of.ts'
import { explainRefusals } from '../show/explain-unmatchable.ts'
import { Announce } from '../state/announce.ts'
import { focusSubject } from '../state/focus-subject.ts'

interface ProblemOptions {
  error: unknown
  /** The failed request. */
  request: EventsRequest
  onRetry: () => void
}

/** Says why there is no answer, and what to do. Uses the service's own words if the service has sent any. */
export function Problem({ error, request, onRetry }: ProblemOptions) {
  const { title, detail } = inWords(error)
  const announce = useContext(Announce)
  const problem = error instanceof ApiError ? error.problem : undefined
  const refusals = error instanceof InvalidParametersError ? [...explainRefusals(error.errors, request)] : []
  useEffect(() => announce(title), [title, announce])
  return (
    <section class="card problem" id="events" tabIndex={-1} aria-label="Problem">
      <h3>{title}</h3>
      {refusals.length === 0 && <p>{detail}</p>}
      {refusals.length > 0 && (
        <ul>
          {refusals.map(([parameter, message]) => (
            <li key={parameter + message}>
              <code>{parameter}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {refusals.length === 0 && (
        <button
          type="button"
          class="button"
          onClick={() => {
            onRetry()
            focusSubject()
          }}
        >
          Try again
        </button>
      )}
      {problem && (
        <p class="quiet">
          <a href={problem.type}>Cause and remedy</a> · request {problem.instance}
        </p>
      )}
    </section>
  )
}

const REFUSED = [401, 403]

function inWords(error: unknown): { title: string; detail: string } {
  if (error instanceof InvalidParametersError) {
    const [, ...more] = error.errors
    const title =
      more.length > 0 ? `${more.length + 1} things in this request are wrong` : 'This request has a mistake'
    return { title, detail: error.message }
  }
  if (error instanceof ApiError && REFUSED.includes(error.status)) {
    return {
      title: 'This service is not open to everybody',
      detail: `It answers only who shows a token or signs the request (${error.status}), which this page can't do. The request below works with curl or the typed client and your own credentials.`,
    }
  }
  if (error instanceof ApiError && error.problem) return error.problem
  if (error instanceof UnavailableError) {
    return { title: 'The service is busy', detail: `It answered ${error.status}, also when asked again.` }
  }
  if (error instanceof ConnectionError) {
    return { title: 'No answer', detail: `${error.message}. Is there a connection?` }
  }
  return { title: 'That did not work', detail: error instanceof Error ? error.message : String(error) }
}
