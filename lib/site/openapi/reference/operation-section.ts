import { WRITTEN_BASE_URL } from '../../look/page-files.ts'
import type { ExampleRequest } from '../example-requests.ts'
import type { OpenApiDocument, Operation } from '../openapi-document.ts'
import { answerEntry, answersOf, PANEL_TYPE, samplesOf } from './answer-entries.ts'
import { type Html, html, markdown } from './html.ts'
import { parameterEntry } from './parameter-entry.ts'

interface Section {
  document: OpenApiDocument
  path: string
  operation: Operation
  examples: readonly ExampleLink[]
}

export function operationSection({ document, path, operation, examples }: Section): Html {
  const { operationId, summary, description, parameters = [] } = operation
  const answers = answersOf(document, operation)
  const success = answers.find(({ status }) => status === '200')
  return html`
<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${summary}</h3>
<p class="route"><b class="verb">GET</b> <code>${path}</code></p>
<form class="split" data-path="${path}">
<div class="lead">${markdown(description)}</div>
<div class="panel">
<h4>Try it</h4>
${exampleLinks(examples)}
<div class="request"><pre><code>curl '${examples[0]?.url ?? ''}'</code></pre><button type="button" class="button small copy" hidden>Copy</button></div>
<p class="actions try"><button class="button primary">Send</button> <button type="reset" class="button">Clear</button></p>
<div class="live" hidden></div>
${samplesOf(success?.response.content?.[PANEL_TYPE] ?? {}, true)}
</div>
<div class="rest">
${parameters.length > 0 && html`<h4>Parameters</h4><ul class="parameters">${parameters.map(each => parameterEntry(each, operationId))}</ul><p class="again try"><button class="button primary">Send</button></p>`}
<h4>Responses</h4>
<ul class="answers">${answers.map(answerEntry)}</ul>
</div>
</form>
</section>`
}

export interface ExampleLink extends ExampleRequest {
  operationId: string
}

/** The page's script sends these requests from the operation's panel. */
export const exampleLinks = (examples: readonly ExampleLink[], isQueryShown = false): Html =>
  html`<ul class="examples">${examples.map(({ finds, url, operationId }) => {
    const query = url.slice(WRITTEN_BASE_URL.length)
    return html`<li><a href="${query.slice(1)}" data-operation="${operationId}">${finds}</a>${isQueryShown && html`<code>${query}</code>`}</li>`
  })}</ul>`
