import {
  ApiError,
  ConnectionError,
  InvalidParametersError,
  UnavailableError,
} from '../../client/create-events-client.ts'

interface ProblemOptions {
  error: unknown
  onRetry: () => void
}

/** Why there is no answer, in the service's own words where it has said any, and what can be done. */
export function Problem({ error, onRetry }: ProblemOptions) {
  const { title, detail } = inWords(error)
  const problem = error instanceof ApiError ? error.problem : undefined
  const errors = error instanceof InvalidParametersError ? error.errors : []
  return (
    <section class="card problem" role="alert">
      <h3>{title}</h3>
      {errors.length === 0 && <p>{detail}</p>}
      {errors.length > 0 && (
        <ul>
          {errors.map(({ parameter, message }) => (
            <li key={parameter + message}>
              <code>{parameter}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {errors.length === 0 && (
        <button type="button" class="button" onClick={onRetry}>
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
