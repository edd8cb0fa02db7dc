import { nameOf, type OpenApiDocument } from '../openapi-document.ts'
import { answersOf } from './answer-entries.ts'
import { type Html, html } from './html.ts'
import { inlineMarkdown } from './markdown.ts'
import { valueForm } from './value-form.ts'

/** Every header that an answer may have. Each entry has the header's meaning, its format and an example. */
export const headerEntries = (document: OpenApiDocument): Html[] =>
  Object.entries(document.components.headers).map(([id, { description, required, schema }]) => {
    const { names, operations } = usesOf(document, id)
    const isEverywhere = operations.length === Object.keys(document.paths).length
    return html`
<article class="entry" id="header-${id}">
<h3><a href="#header-${id}"><code>${names}</code></a>${!isEverywhere && html` <span class="quiet">of ${operations.map(path => html`<code>${path}</code> `)}</span>`}</h3>
<p class="form">${valueForm(schema)}; ${required ? 'present in every answer that lists it' : 'may be absent'}</p>
<p>${inlineMarkdown(description)}</p>
${schema.examples?.map(example => html`<pre><code>${String(example)}</code></pre>`)}
</article>`
  })

/** The header's name, and the operations whose answers have the header. */
function usesOf(document: OpenApiDocument, id: string) {
  const uses = Object.entries(document.paths).flatMap(([path, { get }]) =>
    answersOf(document, get).flatMap(({ response: { headers = {} } }) =>
      Object.entries(headers)
        .filter(([, header]) => nameOf(header) === id)
        .map(([name]) => ({ name, path })),
    ),
  )
  const names = new Set(uses.map(({ name }) => name))
  return { names: [...names].join(', '), operations: [...new Set(uses.map(({ path }) => path))] }
}
