import type { Question } from '../question/question.ts'
import { requestOf, requestPath } from '../question/request-of.ts'
import { fileNameOf } from '../question/subject-of.ts'
import { clientCode, curlLine, exportLine } from '../show/snippets.ts'
import { CopyButton } from './copy-button.tsx'

export function RequestPanel({ question, baseUrl }: { question: Question; baseUrl: string }) {
  const request = requestOf(question)
  return (
    <section class="card requests" aria-label="This view as a request">
      <h3>This view as a request</h3>
      <Code name="curl" what="line" code={curlLine(request, baseUrl)} />
      <Code name="Typed client" what="code" code={clientCode(request, baseUrl)} />
      <Code
        name="All events as a file"
        what="command"
        code={exportLine(request, { baseUrl, fileName: fileNameOf(question) })}
      />
      <p class="quiet">
        <a href={requestPath(request)}>Open this request</a>. More in the <a href="docs">documentation</a>.
      </p>
    </section>
  )
}

const Code = ({ name, what, code }: { name: string; what: string; code: string }) => (
  <figure>
    <figcaption>
      {name} <CopyButton text={code} what={what} isWide />
    </figcaption>
    <pre>
      <code>{code}</code>
    </pre>
  </figure>
)
