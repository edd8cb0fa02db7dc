import { WRITTEN_BASE_URL } from '../../look/page-files.ts'
import { type Html, html } from './html.ts'

/** A request with an example answer from the bundled events. */
export interface ExampleLink {
  finds: string
  url: string
  operationId: string
}

/** Links to requests. The page's script sends these requests from the operation's panel. */
export const exampleLinks = (examples: readonly ExampleLink[], isQueryShown = false): Html =>
  html`<ul class="examples">${examples.map(({ finds, url, operationId }) => {
    const query = url.slice(WRITTEN_BASE_URL.length)
    return html`<li><a href="${query.slice(1)}" data-operation="${operationId}">${finds}</a>${isQueryShown && html`<code>${query}</code>`}</li>`
  })}</ul>`
