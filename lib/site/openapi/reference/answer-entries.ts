import { PROBLEMS } from '../../../http/problems.ts'
import {
  isReference,
  type MediaType,
  nameOf,
  type OpenApiDocument,
  type Operation,
  type Reference,
  type Response,
} from '../openapi-document.ts'
import { type Html, html, inlineMarkdown, joined } from './html.ts'
import { valueForm } from './value-form.ts'

/** The media type whose examples an operation's panel shows before a request is sent. */
export const PANEL_TYPE = 'application/json'
const THROTTLED_KIND = 'too-many-requests'

export interface Answer {
  status: string
  response: Response
  /** The fragment of the error's `type`. Undefined if the response is not an error. */
  kind?: string | undefined
  /** Whether other operations have the same response. */
  isShared: boolean
}

export const answersOf = ({ components }: OpenApiDocument, { responses }: Operation): Answer[] =>
  Object.entries(responses).map(([status, given]) => {
    const response = resolve(given, components.responses)
    const kind = kindOf(status, response)
    return { status, response, kind, isShared: kind !== undefined && kind !== 'invalid-query' }
  })

function resolve(given: Response | Reference, responses: Record<string, Response>): Response {
  const response = isReference(given) ? responses[nameOf(given)] : given
  if (!response) throw new Error(`The document lacks the response ${JSON.stringify(given)}`)
  return response
}

function kindOf(status: string, { content = {} }: Response): string | undefined {
  if (status === '429') return THROTTLED_KIND
  const { type } = (content['application/json']?.example ?? {}) as { type?: string }
  return Object.keys(PROBLEMS).find(kind => type?.endsWith(`#${kind}`))
}

/** The title of an error links to its explanation in the list of errors. */
export const answerEntry = ({ status, response, kind, isShared }: Answer): Html => html`
<li><p><code class="status" data-class="${status[0]}">${status}</code> ${
  kind === undefined
    ? inlineMarkdown(response.description)
    : html`<a href="#${kind}">${response.description.slice(0, response.description.indexOf('.'))}</a>`
}</p>${!isShared && html`${headersLine(response)}${Object.entries(response.content ?? {}).map(media => (status === '200' ? mediaEntry(withoutPanel(media)) : mediaEntry(media)))}`}</li>`

/** The operation's panel already shows the examples of `PANEL_TYPE`. */
const withoutPanel = ([type, media]: [string, MediaType]): [string, MediaType] =>
  type === PANEL_TYPE ? [type, { schema: media.schema }] : [type, media]

export function headersLine({ headers = {} }: Response): Html {
  const links = Object.entries(headers).map(
    ([name, header]) => html`<a href="#header-${nameOf(header)}"><code>${name}</code></a>`,
  )
  return html`${links.length > 0 && html`<p class="headers">Headers: ${joined(links, ', ')}</p>`}`
}

export const mediaEntry = ([type, media]: [string, MediaType]): Html => html`
<div class="media"><p><code>${type}</code> <span class="form">${valueForm(media.schema)}</span></p>${
  media.schema.description !== undefined && html`<p>${inlineMarkdown(media.schema.description)}</p>`
}${samplesOf(media)}</div>`

/** The examples are collapsed, except the first if `isFirstOpen` is set. */
export function samplesOf({ example, examples = {} }: Partial<MediaType>, isFirstOpen = false): Html[] {
  const single = example === undefined ? [] : [{ summary: undefined, value: example }]
  return [...single, ...Object.values(examples)].map(({ summary, value }, index) => {
    const title = `Example${summary === undefined ? '' : `: ${summary}`}`
    return sample({ title, value, isOpen: isFirstOpen && index === 0 })
  })
}

/** Values other than strings are shown as JSON. */
export function sample({ title, value, isOpen }: { title: string; value: unknown; isOpen?: boolean }): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const kind = typeof value === 'string' ? 'text' : 'json'
  return html`<details class="sample"${isOpen && html` open`}><summary>${title}</summary><pre tabindex="0"><code class="${kind}">${text}</code></pre></details>`
}
