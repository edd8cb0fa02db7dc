import { useContext, useEffect } from 'preact/hooks'
import {
  ApiError,
  ConnectionError,
  InvalidParametersError,
  UnavailableError,
} from '../../../client/create-events-client.ts'
import type { Question } from '../question/question.ts'
import { requestOf } from '../question/request-of.ts'
import { explainRefusals } from '../show/explain-unmatchable.ts'
import { focusOn } from '../state/place.ts'
import { Announce } from './announcer.tsx'
import { Refusals } from './unmatchable.tsx'

interface ProblemOptions {
  error: unknown
  question: Question
  onRetry: () => void
}

/** Explains common errors in the page's words, and all others with the service's title and detail, if it sent any. */
export function Problem({ error, question, onRetry }: ProblemOptions) {
  const { title, detail } = errorInWords(error)
  const announce = useContext(Announce)
  const problem = error instanceof ApiError ? error.problem : undefined
  const isRefused = error instanceof InvalidParametersError && error.errors.length > 0
  const again = () => {
    onRetry()
    focusOn('subject')
  }
  useEffect(() => announce(title), [title, announce])
  useRetry(error, onRetry)
  return (
    <section class="card problem" id="events" tabIndex={-1} aria-label="Problem">
      <h3>{title}</h3>
      {isRefused ? (
        <Refusals question={question} refusals={explainRefusals(error.errors, requestOf(question))} />
      ) : (
        <>
          <p>{detail}</p>
          <button type="button" class="button" onClick={again}>
            Try again
          </button>
        </>
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
const AGAIN = 'This page retries every few seconds until there is an answer.'

export function errorInWords(error: unknown): { title: string; detail: string } {
  if (error instanceof InvalidParametersError) {
    const [, ...more] = error.errors
    const title =
      more.length > 0 ? `This request has ${more.length + 1} mistakes` : 'This request has a mistake'
    return { title, detail: error.message }
  }
  if (error instanceof ApiError && REFUSED.includes(error.status)) {
    return {
      title: 'This service is not open to everyone',
      detail: `It answers only requests with a token or a signature (${error.status}), which this page can't send. The request below works with curl or the typed client and your own credentials.`,
    }
  }
  if (error instanceof UnavailableError) {
    return { title: 'The service is busy or down', detail: `It answered ${error.status}. ${AGAIN}` }
  }
  if (error instanceof ConnectionError) {
    return {
      title: 'The service does not answer',
      detail: `It is down or unreachable. ${AGAIN}`,
    }
  }
  if (error instanceof ApiError && error.problem) return error.problem
  return { title: 'The request failed', detail: error instanceof Error ? error.message : String(error) }
}

const PAUSE_MS = 5000

/** Retries after a pause whenever the error says that the service is down, busy or unreachable. */
export function useRetry(error: unknown, retry: () => void): void {
  useEffect(() => {
    if (!(error instanceof ConnectionError || error instanceof UnavailableError)) return undefined
    const timer = setTimeout(retry, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [error])
}
