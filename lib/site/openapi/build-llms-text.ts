import { PROBLEMS, type ProblemKind } from '../../http/problems.ts'
import { API_PATHS } from '../../http/route.ts'
import type { Endpoint, Resource } from '../../query/endpoints.ts'
import { FILTER_NAMES, type FilterName, filterOf } from '../../query/filters.ts'
import { DEFAULT_LIMIT, MAX_LIMIT, PARAMETERS } from '../../query/parameters.ts'
import { WRITTEN_BASE_URL } from '../look/page-files.ts'
import type { Examples } from './example-records.ts'
import { exampleRequests } from './example-requests.ts'
import { EXPLANATIONS, THROTTLED } from './explanations.ts'
import type { OpenApiDocument, Operation, Schema } from './openapi-document.ts'

interface Sources {
  document: OpenApiDocument
  examples: Examples
}

/**
 * Returns a text in the form of https://llmstxt.org. The facts come from the OpenAPI document and from the tables that
 * the service itself uses. To keep the text short, only the first sentence of most descriptions is included.
 */
export function buildLlmsText({ document, examples }: Sources): string {
  const { title, summary, description } = document.info
  return `# ${title}

> ${summary}

${description}

${describeEndpoint('user-events', { document, examples })}

${describeEndpoint('token-events', { document, examples })}

## Parameters

All parameters are optional. If a parameter takes several values, separate them with commas. A page has ${DEFAULT_LIMIT} records by default, and ${MAX_LIMIT} at most. The OpenAPI document explains each parameter in full.

On both endpoints:

${parameterLines(document, name => name in PARAMETERS['user-events'])}

On token-events only:

${parameterLines(document, name => !(name in PARAMETERS['user-events']))}

## Records

${describeRecords(document)}

## GET ${API_PATHS.changes}

${describeChanges({ document, examples })}

## Errors

The body is a JSON object. In a \`400\`, \`errors\` lists the problems by parameter.

${errorLines().join('\n')}

## More

- [OpenAPI document](${WRITTEN_BASE_URL}/v1/openapi.json): every endpoint, parameter, field and error
- [Status](${WRITTEN_BASE_URL}/v1/status): how far each network is indexed
- [Documentation](${WRITTEN_BASE_URL}/docs): a page for people
`
}

function describeEndpoint(endpoint: Endpoint, { document, examples }: Sources): string {
  const { description, parameters = [] } = operationOf(document, endpoint)
  const inPath = parameters.filter(parameter => parameter.in === 'path')
  return [
    `## GET ${API_PATHS[endpoint]}`,
    description,
    ...inPath.map(({ name, description }) => `\`${name}\`: ${firstSentence(description)}`),
    requestLines(endpoint, examples),
  ].join('\n\n')
}

function operationOf({ paths }: OpenApiDocument, resource: Resource): Operation {
  const operation = paths[API_PATHS[resource]]?.get
  if (!operation) throw new Error(`The OpenAPI document has no ${API_PATHS[resource]}`)
  return operation
}

const firstSentence = (text: string) => text.replace(/(?<=\.) .*/s, '')

const requestLines = (resource: Resource, examples: Examples) =>
  exampleRequests(resource, examples)
    .map(({ finds, url }) => `- ${finds}: ${url}`)
    .join('\n')

/** Lists the parameters of `token-events`, which include every parameter of `user-events`. */
function parameterLines(document: OpenApiDocument, isWanted: (name: string) => boolean): string {
  const { parameters = [] } = operationOf(document, 'token-events')
  return parameters
    .filter(({ name }) => isWanted(name))
    .map(({ name, description, schema }) => {
      const { needs } = FILTER_NAMES.includes(name as FilterName) ? filterOf(name as FilterName) : {}
      const need = needs === undefined ? '' : ` Needs \`${needs}\`.`
      return `- \`${name}\`${formOf(schema)}: ${firstSentence(description)}${need}`
    })
    .join('\n')
}

/** Longer examples, such as addresses, hashes and cursors, are omitted. */
const MAX_EXAMPLE_LENGTH = 24

function formOf({ anyOf: [one] = [], items, examples = [], ...single }: Schema): string {
  const { type, enum: values } = one ?? items ?? single
  const [example] = examples.flat()
  if (values) return ` (${namesOf(values)})`
  const isShortText = type === 'string' && String(example).length <= MAX_EXAMPLE_LENGTH
  return isShortText ? ` (such as \`${example}\`)` : ''
}

const namesOf = (names: readonly unknown[]) => names.map(name => `\`${name}\``).join(', ')

function describeRecords({ components: { schemas } }: OpenApiDocument): string {
  const variants = Object.values(schemas).filter(({ properties = {} }) => 'transactionHash' in properties)
  const fieldsOf = variants.map(({ properties = {} }) => Object.keys(properties))
  const [first = []] = fieldsOf
  const common = first.filter(field => fieldsOf.every(fields => fields.includes(field)))
  const lines = variants.map(({ description = '', properties = {} }) => {
    const { event } = properties
    const own = Object.keys(properties).filter(field => !common.includes(field))
    return `- ${namesOf(event?.enum ?? [event?.const])}: ${namesOf(own)}. ${firstSentence(description)}`
  })
  return `Every record has ${namesOf(common)}. Addresses and hashes are in lower case. Token ids and quantities are decimal strings, because many JSON parsers round large numbers. Each kind of event adds its own fields:

${lines.join('\n')}`
}

function describeChanges({ document, examples }: Sources): string {
  const { description, parameters = [] } = operationOf(document, 'changes')
  const isAsAbove = (name: string) => PARAMETERS.changes[name] === PARAMETERS['token-events'][name]
  const own = parameters.filter(({ name }) => !isAsAbove(name))
  const asAbove = parameters.filter(({ name }) => isAsAbove(name))
  return `${firstSentence(description)} \`Link\` always contains the address of the next page. An empty page without \`X-Partial\` means that the copy is up to date: request the next page after \`Retry-After\` seconds.

Parameters: ${own.map(({ name, schema }) => `\`${name}\`${formOf(schema)}`).join(', ')}; as above: ${namesOf(asAbove.map(({ name }) => name))}.

${requestLines('changes', examples)}`
}

/** Lists the service's errors and the gateway's own error. */
function errorLines(): string[] {
  const own = Object.entries(PROBLEMS).map(([kind, row]) => ({
    ...row,
    ...EXPLANATIONS[kind as ProblemKind],
  }))
  return [...own, THROTTLED]
    .toSorted((a, b) => a.status - b.status)
    .map(({ status, title, remedy }) => `- \`${status}\` ${title}. ${firstSentence(remedy)}`)
}
