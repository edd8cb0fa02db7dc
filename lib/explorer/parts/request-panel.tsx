import type { EventsRequest } from '../question/request-of.ts'
import { clientCode, curlLine, exportLine } from '../show/snippets.ts'
import { CopyButton } from './copy-button.tsx'

interface RequestPanelOptions {
  request: EventsRequest
  baseUrl: string
}

/** The request that this view was made of, for whoever wants to go on in a program. */
export const RequestPanel = ({ request, baseUrl }: RequestPanelOptions) => (
  <section class="card requests" aria-label="This view as a request">
    <h3>This view as a request</h3>
    <Code name="curl" what="line" code={curlLine(request, baseUrl)} />
    <Code name="Typed client" what="code" code={clientCode(request, baseUrl)} />
    <Code name="All of it in a file" what="command" code={exportLine(request, baseUrl)} />
    <p class="quiet">
      More in the <a href="docs">documentation</a>.
    </p>
  </section>
)

const Code = ({ name, what, code }: { name: string; what: string; code: string }) => (
  <figure>
    <figcaption>
      {name} <CopyButton text={code} what={what} isWide />
    </figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that arrow keys scroll it. */}
    <pre tabIndex={0}>
      <code>{code}</code>
    </pre>
  </figure>
)
