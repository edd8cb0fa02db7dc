import { useState } from 'preact/hooks'
import { type EventsRequest, requestPath } from '../question/request-of.ts'
import { download } from '../state/download.ts'

interface FormatsOptions {
  request: EventsRequest
  baseUrl: string
}

/** As many as one answer holds. */
const MOST = 500

/** The events in the formats that the service has: to look at, or as a file. */
export function Formats({ request, baseUrl }: FormatsOptions) {
  const [failure, setFailure] = useState<string>()
  const url = `${baseUrl}${requestPath({ ...request, query: { ...request.query, limit: MOST } })}`
  const save = async (format: 'ndjson' | 'csv') => {
    setFailure(undefined)
    await download(url, format).catch(error => setFailure((error as Error).message))
  }
  return (
    <fieldset class="formats" aria-label={`The first ${MOST} as a file`}>
      <a class="button small" href={url} target="_blank" rel="noopener" title={`The first ${MOST}, as sent`}>
        JSON
      </a>
      <button
        type="button"
        class="button small"
        title={`The first ${MOST}, one a line`}
        onClick={() => save('ndjson')}
      >
        NDJSON
      </button>
      <button
        type="button"
        class="button small"
        title={`The first ${MOST}, as a table`}
        onClick={() => save('csv')}
      >
        CSV
      </button>
      <span role="status" class="refusal">
        {failure}
      </span>
    </fieldset>
  )
}
