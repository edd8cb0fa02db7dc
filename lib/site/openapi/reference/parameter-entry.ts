import { exampleSentence, examplesOf, type Parameter, type Schema } from '../openapi-document.ts'
import { type Html, html, inlineMarkdown, joined, type Part } from './html.ts'
import { valueForm } from './value-form.ts'

/** `operationId` makes the ids unique. */
export function parameterEntry(parameter: Parameter, operationId: string): Html {
  const { name, in: place, required, description, schema } = parameter
  const id = `${operationId}-${name}`
  const list = listIn(schema)
  const examples = examplesOf(parameter)
  const meaning = description.replace(` ${exampleSentence(parameter)}`, '')
  return html`
<li class="parameter" id="${id}">
<p class="name"><a href="#${id}"><code>${name}</code></a>${place === 'path' && html` <span class="badge">in the path</span>`}${required && html` <span class="badge">required</span>`}</p>
<p class="form">${valueForm(schema)}</p>
<p>${inlineMarkdown(meaning)}</p>
<div class="try">${fieldOf(parameter, id)}<button type="button" class="button small fill" data-values="${JSON.stringify(examples)}">Use ${joinedExamples(examples)}</button>${list && !list.items?.enum && html`<button type="button" class="button small more">Another value</button>`}</div>
<p class="refusal" id="${id}-refusal"></p>
</li>`
}

const joinedExamples = (examples: readonly string[]): Part =>
  joined(
    examples.map(example => html`<code>${example}</code>`),
    ' and ',
  )

/** If the values are not enumerated, the reader types a value, which the service validates. */
function fieldOf(parameter: Parameter, id: string): Html {
  const { name, schema, in: place } = parameter
  const list = listIn(schema)
  const { items = schema, maxItems = 1 } = list ?? {}
  if (items.enum && list) return checkboxes(name, items.enum)
  if (items.enum)
    return html`<select name="${name}" aria-label="${name}" aria-describedby="${id}-refusal"><option value="">not sent</option>${items.enum.map(value => html`<option>${value}</option>`)}</select>`
  const [example = ''] = examplesOf(parameter)
  const value = place === 'path' && html` value="${example}"`
  const field = html`<input name="${name}" aria-label="${name}" aria-describedby="${id}-refusal" placeholder="${example}" inputmode="${items.type === 'integer' ? 'numeric' : 'text'}" autocomplete="off" autocapitalize="off" spellcheck="false"${value}>`
  return html`<div class="values" data-max="${maxItems}">${field}</div>`
}

const listIn = ({ anyOf }: Schema) => anyOf?.find(({ type }) => type === 'array')

const checkboxes = (name: string, values: readonly (string | number)[]): Html => html`<fieldset>
<legend class="unseen">${name}</legend>
${values.map(value => html`<label><input type="checkbox" name="${name}" value="${value}">${value}</label>`)}
</fieldset>`
