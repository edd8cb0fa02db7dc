import { PROBLEMS, type ProblemKind, type ProblemRow } from '../../../http/problems.ts'
import { EXPLANATIONS, type Explanation, THROTTLED } from '../explanations.ts'
import { nameOf, type OpenApiDocument, type Schema } from '../openapi-document.ts'
import { type Answer, answersOf, headersLine, mediaEntry, sample } from './answer-entries.ts'
import { type Html, html, inlineMarkdown, joined } from './html.ts'
import { valueForm } from './value-form.ts'

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

export const schemaEntries = ({ components }: OpenApiDocument): Html[] =>
  Object.entries(components.schemas).map(
    ([name, schema]) => html`
<article class="entry" id="schema-${name}">
<h3><a href="#schema-${name}">${name}</a></h3>
${schema.description !== undefined && html`<p>${inlineMarkdown(schema.description)}</p>`}
<p class="form">${valueForm(schema)}</p>
${variants(schema)}${variants(schema.items)}${fields(schema)}${schema.examples?.map(value => sample({ title: titleOf(value), value }))}
</article>`,
  )

const titleOf = (value: unknown) => {
  const { event } = value as { event?: string }
  return `Example${event === undefined ? '' : ` of ${event}`}`
}

/** Lists the variants of a schema, each with the values of the discriminator that select this variant. */
function variants({ discriminator }: Schema = {}): Html | undefined {
  if (!discriminator) return undefined
  const { propertyName, mapping } = discriminator
  const byVariant = Map.groupBy(Object.entries(mapping), ([, $ref]) => $ref)
  return html`<p>The field <code>${propertyName}</code> determines the variant:</p><ul>${[...byVariant].map(
    ([$ref, values]) =>
      html`<li>${joined(
        values.map(([value]) => html`<code>${value}</code>`),
        ', ',
      )}: ${valueForm({ $ref })}</li>`,
  )}</ul>`
}

/** The fields of a nested object or list come right after their parent field. */
function fields({ properties, required = [], additionalProperties }: Schema): Html | undefined {
  if (!properties) return undefined
  return html`<dl class="fields">${Object.entries(properties).map(
    ([name, schema]) => html`
<dt><code>${name}</code>${!required.includes(name) && html` <span class="quiet">may be absent</span>`}</dt>
<dd><p class="form">${valueForm(schema)}</p>${schema.description !== undefined && html`<p>${inlineMarkdown(schema.description)}</p>`}${fields(schema)}${schema.items && fields(schema.items)}</dd>`,
  )}</dl>${additionalProperties === false && html`<p class="form">no other fields</p>`}`
}

/** An entry's id is the fragment of the error's `type`. */
export function errorEntries(document: OpenApiDocument): Html[] {
  const answers = Object.values(document.paths).flatMap(({ get }) => answersOf(document, get))
  const own = Object.entries(PROBLEMS).map(([kind, row]) =>
    errorEntry(kind, { ...row, ...EXPLANATIONS[kind as ProblemKind] }, answers),
  )
  return [...own, errorEntry('too-many-requests', THROTTLED, answers)]
}

function errorEntry(
  id: string,
  { status, title, cause, remedy }: ProblemRow & Explanation,
  answers: readonly Answer[],
): Html {
  const answer = answers.find(({ kind }) => kind === id)
  return html`
<article class="entry" id="${id}">
<h3><a href="#${id}"><code class="status" data-class="${String(status)[0]}">${status}</code> ${title}</a></h3>
<dl class="explanation"><dt>Cause</dt><dd>${cause}</dd><dt>Remedy</dt><dd>${remedy}</dd></dl>
${answer?.isShared && html`${headersLine(answer.response)}${Object.entries(answer.response.content ?? {}).map(mediaEntry)}`}
</article>`
}
