import { useState } from 'preact/hooks'
import { type EventsRequest, requestPath } from '../question/request-of.ts'
import { download } from '../state/download.ts'

interface FormatsOptions {
  request: EventsRequest
  baseUrl: string
}

const FILES = [
  ['ndjson', 'NDJSON', 'one a line'],
  ['csv', 'CSV', 'as a table'],
] as const
/** As many as one answer holds. */
const MOST = 500

/** The events in the formats that the service has: to look at, or as a file. */
export function Formats({ request, baseUrl }: FormatsOptions) {
  const [failure, setFailure] = useState<string>()
  const url = `${baseUrl}${requestPath({ ...request, query: { ...request.query, limit: MOST } })}`
  const save = async (format: (typeof FILES)[number][0]) => {
    setFailure(undefined)
    await download(url, format).catch(error => setFailure((error as Error).message))
  }
  return (
    <fieldset class="formats" aria-label={`The first ${MOST} as a file`}>
      <a class="button small" href={url} target="_blank" rel="noopener" title={`The first ${MOST}, as sent`}>
        JSON
      </a>
      {FILES.map(([format, name, how]) => (
        <button
          key={format}
          type="button"
          class="button small"
          title={`The first ${MOST}, ${how}`}
          onClick={() => save(format)}
        >
          {name}
        </button>
      ))}
      <span role="status" class="refusal">
        {failure}
      </span>
    </fieldset>
  )
}
