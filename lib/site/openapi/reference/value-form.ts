import { nameOf, type Schema } from '../openapi-document.ts'
import { type Html, html, joined, type Part } from './html.ts'

/** Describes the form of a value in one line: its type, bounds and allowed values. */
export function valueForm(schema: Schema): Html {
  const { $ref, anyOf, oneOf, not, default: fallback } = schema
  if ($ref !== undefined) return html`<a href="#schema-${nameOf({ $ref })}">${nameOf({ $ref })}</a>`
  const [one, list] = anyOf ?? []
  const form =
    one && list?.type === 'array' ? html`${valueForm(one)}; or a ${listSize(list)}` : plainForm(schema)
  const rest: Part = [
    anyOf && list?.type !== 'array' && joined(anyOf.map(valueForm), ' or '),
    oneOf && html`one of ${joined(oneOf.map(valueForm), ', ')}`,
    not && html`, never ${neverForm(not)}`,
    fallback !== undefined && html`; ${code(fallback)} by default`,
  ]
  return html`${form}${rest}`
}

function plainForm(schema: Schema): Part {
  const { type, enum: values, const: only, anyOf, oneOf, format, pattern } = schema
  const { minLength, maxLength, minimum, maximum } = schema
  if (anyOf || oneOf) return undefined
  if (only !== undefined) return code(only)
  if (values) return joined(values.map(code), ', ')
  if (type === 'array') return listForm(schema)
  const facts: Part[] = [
    type,
    format,
    rangeOf([minLength, maxLength], 'character'),
    rangeOf([minimum, maximum]),
    pattern !== undefined && html`of the form ${code(pattern)}`,
  ].filter(fact => fact !== undefined && fact !== false)
  return joined(facts, ', ')
}

function listForm(list: Schema): Html {
  const { items } = list
  return html`${listSize(list)}${items && (items.properties ? ' of objects' : html`: ${valueForm(items)}`)}`
}

function listSize({ minItems, maxItems, not }: Schema): Html {
  const size = rangeOf([minItems, maxItems])
  return html`list${size !== undefined && ` of ${size}`}${not && html`, never ${neverForm(not)}`}`
}

/** Describes `not`, which the OpenAPI document uses to forbid lists that contain several items of one kind. */
const neverForm = ({ anyOf = [] }: Schema): Part =>
  joined(
    anyOf.map(({ minItems, items = {} }) => html`${minItems} of (${valueForm(items)})`),
    ' or ',
  )

function rangeOf([from, to]: [number | undefined, number | undefined], unit?: string): string | undefined {
  if (from === undefined && to === undefined) return undefined
  const units = unit === undefined ? '' : ` ${unit}${from === 1 && to === undefined ? '' : 's'}`
  if (to === undefined) return `at least ${from}${units}`
  return from === undefined ? `at most ${to}${units}` : `${from} to ${to}${units}`
}

const code = (value: unknown): Html => html`<code>${String(value)}</code>`
