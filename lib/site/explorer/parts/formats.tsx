import { useContext, useState } from 'preact/hooks'
import type { Question } from '../question/question.ts'
import { requestOf, requestPath } from '../question/request-of.ts'
import { fileNameOf } from '../question/subject-of.ts'
import { Announce } from '../state/announce.ts'
import { download } from '../state/download.ts'

interface FormatsOptions {
  question: Question
  baseUrl: string
}

const FILES = [
  ['ndjson', 'NDJSON', 'one a line'],
  ['csv', 'CSV', 'as a table'],
] as const
/** The most records in one answer of the service. */
const MOST = 500

/** Offers the events in the service's formats: a link to the JSON, and buttons that save files. */
export function Formats({ question, baseUrl }: FormatsOptions) {
  const announce = useContext(Announce)
  const [failure, setFailure] = useState<string>()
  const request = requestOf(question)
  const url = `${baseUrl}${requestPath({ ...request, query: { ...request.query, limit: MOST } })}`
  const save = async (format: (typeof FILES)[number][0]) => {
    setFailure(undefined)
    await download(url, { format, name: fileNameOf(question) }).then(
      () => announce(`Saved as ${fileNameOf(question)}.${format}`),
      error => {
        setFailure((error as Error).message)
        announce((error as Error).message)
      },
    )
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
      <span class="refusal">{failure}</span>
    </fieldset>
  )
}
