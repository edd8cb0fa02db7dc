import type { OpenApiDocument } from '../openapi-document.ts'
import { type Html, html } from './html.ts'

/** Links to all parts of the page. */
export const contents = ({
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
