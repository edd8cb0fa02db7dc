import type { OpenApiDocument, Schema } from '../openapi-document.ts'
import { type Html, html, joined } from './html.ts'
import { inlineMarkdown } from './markdown.ts'
import { sample } from './sample.ts'
import { valueForm } from './value-form.ts'

/** The entries of all schemas. Each has the schema's meaning, its fields or variants, and examples. */
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

/** The title of an example, with its kind if the example is an event. */
const titleOf = (value: unknown) => {
  const { event } = value as { event?: string }
  return `Example${event === undefined ? '' : ` of ${event}`}`
}

/** Lists the variants of a schema. For each variant, lists the values of the field that distinguishes the variants. */
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

/** The fields of an object. The fields of a nested object or list follow below their parent field. */
function fields({ properties, required = [], additionalProperties }: Schema): Html | undefined {
  if (!properties) return undefined
  return html`<dl class="fields">${Object.entries(properties).map(
    ([name, schema]) => html`
<dt><code>${name}</code>${!required.includes(name) && html` <span class="quiet">may be absent</span>`}</dt>
<dd><p class="form">${valueForm(schema)}</p>${schema.description !== undefined && html`<p>${inlineMarkdown(schema.description)}</p>`}${fields(schema)}${schema.items && fields(schema.items)}</dd>`,
  )}</dl>${additionalProperties === false && html`<p class="form">no other fields</p>`}`
}
