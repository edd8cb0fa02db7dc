import { API_PATHS } from '../../../http/route.ts'
import type { Resource } from '../../../query/endpoints.ts'
import { WRITTEN_BASE_URL } from '../../look/page-files.ts'
import type { Examples } from '../example-records.ts'
import { exampleRequests } from '../example-requests.ts'
import { THROTTLED } from '../explanations.ts'
import type { OpenApiDocument, Operation } from '../openapi-document.ts'
import { errorEntries, headerEntries, schemaEntries } from './entries.ts'
import { type Html, html, markdown } from './html.ts'
import { type ExampleLink, exampleLinks, operationSection } from './operation-section.ts'

interface Sources {
  document: OpenApiDocument
  examples: Examples
}

/** The endpoints except the status, which has no parameters. */
const RESOURCES: readonly Resource[] = ['user-events', 'token-events', 'changes']

/** Links are relative. Absolute URLs contain `WRITTEN_BASE_URL`, which is replaced when the page is served. */
export function buildReference({ document, examples }: Sources): string {
  const requests = new Map(
    Object.entries(document.paths).map(([path, { get }]) => [get, examplesOf(path, get, examples)]),
  )
  const { html: text } = html`${contents(document)}
<main id="reference" tabindex="-1">
${start(document, [...requests.values()].flat())}
${document.tags.map(
  ({ name, description }) => html`
<section class="tag">
<h2>${name}</h2>
${markdown(description)}
</section>
${Object.entries(document.paths)
  .filter(([, { get }]) => get.tags.includes(name))
  .map(([path, { get }]) =>
    operationSection({ document, path, operation: get, examples: requests.get(get) ?? [] }),
  )}`,
)}
<section class="entries">
<h2 id="headers">Headers</h2>
${headerEntries(document)}
</section>
<section class="entries">
<h2 id="schemas">Schemas</h2>
${schemaEntries(document)}
</section>
<section class="entries">
<h2 id="errors">Errors</h2>
<p>Every error from the service is a JSON object, whose <code>type</code> is the address of one of these entries, and whose <code>instance</code> is the request’s id. Only the last entry comes from the gateway; its body, <code>${JSON.stringify(THROTTLED.body)}</code>, has neither field.</p>
${errorEntries(document)}
</section>
</main>
`
  return text
}

function examplesOf(path: string, { operationId, summary }: Operation, examples: Examples): ExampleLink[] {
  const resource = RESOURCES.find(each => API_PATHS[each] === path)
  const requests = resource
    ? exampleRequests(resource, examples)
    : [{ finds: summary, url: `${WRITTEN_BASE_URL}${path}` }]
  return requests.map(request => ({ ...request, operationId }))
}

/** The description's first paragraph is the service's purpose, and the other paragraphs apply to all operations. */
function start({ openapi, info }: OpenApiDocument, examples: readonly ExampleLink[]): Html {
  const [purpose = '', ...basics] = info.description.split('\n\n')
  return html`<section class="start split">
<div class="lead">
<h2>${info.title} API</h2>
<p class="summary">${info.summary}</p>
${markdown(purpose)}
<dl class="facts">
<dt>Address</dt><dd><code>${WRITTEN_BASE_URL}</code></dd>
<dt>Version</dt><dd>${info.version}, licence ${info.license.name}</dd>
<dt>For programs</dt><dd><a href="v1/openapi.json">OpenAPI ${openapi}</a>, <a href="llms.txt">llms.txt</a></dd>
</dl>
</div>
<div class="panel">
<h3 id="examples">Example queries</h3>
${exampleLinks(examples, true)}
</div>
</section>
<section class="basics" aria-labelledby="basics">
<h2 id="basics">How it works</h2>
${basics.map(text => html`<section id="${topicOf(text)}">${markdown(text)}</section>`)}
</section>`
}

/** For `**Pages.** …`, the id is `about-pages`. */
const topicOf = (text: string) => `about-${/\w+/.exec(text)?.[0].toLowerCase()}`

const contents = ({
  paths,
  tags,
}: OpenApiDocument): Html => html`<nav class="contents" aria-label="On this page">
<ul>
<li><a href="#examples">Example queries</a></li>
<li><a href="#basics">How it works</a></li>
<li><a href="#about-pages">Pages and cursors</a></li>
${tags.map(
  ({ name }) => html`<li><span>${name}</span><ul>${Object.values(paths)
    .filter(({ get }) => get.tags.includes(name))
    .map(({ get }) => html`<li><a href="#${get.operationId}">${get.summary}</a></li>`)}</ul></li>
`,
)}<li><a href="#headers">Headers</a></li>
<li><a href="#schemas">Schemas</a></li>
<li><a href="#errors">Errors</a></li>
</ul>
</nav>`
