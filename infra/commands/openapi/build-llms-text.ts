import { WRITTEN_BASE_URL } from '../../../lib/http/docs/docs-files.ts'
import { EXPLANATIONS } from '../../../lib/http/docs/explanations.ts'
import { THROTTLED } from '../../../lib/http/docs/throttled.ts'
import { PROBLEMS, type ProblemKind } from '../../../lib/http/problems.ts'
import type { Endpoint, Resource } from '../../../lib/query/endpoint.ts'
import { FILTER_NAMES, type FilterName, filterOf } from '../../../lib/query/filters.ts'
import { DEFAULT_LIMIT, MAX_LIMIT, PARAMETERS } from '../../../lib/query/parameters.ts'
import type { OpenApiDocument, Operation, ValueSchema } from '../shared/openapi-document.ts'
import type { Examples } from './example-records.ts'
import { exampleRequests } from './example-requests.ts'

interface Sources {
  document: OpenApiDocument
  examples: Examples
}

const PATHS: Record<Resource, string> = {
  'user-events': '/v1/user-events/{address}',
  'token-events': '/v1/token-events',
  changes: '/v1/changes',
}

/**
 * What a program that reads text needs to call the service, in Markdown as https://llmstxt.org proposes. Facts come from
 * the OpenAPI document and from the tables that the service itself reads. Of a meaning there is the first sentence alone,
 * so that the text stays short.
 */
export function buildLlmsText({ document, examples }: Sources): string {
  const { title, summary, description } = document.info
  return `# ${title}

> ${summary}

${description}

${describeEndpoint('user-events', { document, examples })}

${describeEndpoint('token-events', { document, examples })}

## Parameters

All are optional. Where several values may be given, commas separate them. A page has ${DEFAULT_LIMIT} records unless \`limit\` says otherwise, and ${MAX_LIMIT} at most. The OpenAPI document says more about each parameter.

Of both endpoints:

${parameterLines(document, name => name in PARAMETERS['user-events'])}

Of token-events alone:

${parameterLines(document, name => !(name in PARAMETERS['user-events']))}

## Records

${describeRecords(document)}

## GET ${PATHS.changes}

${describeChanges({ document, examples })}

## Errors

The body is a JSON object. In a \`400\`, \`errors\` names every parameter that is wrong.

${errorLines().join('\n')}

## More

- [OpenAPI document](${WRITTEN_BASE_URL}/v1/openapi.json): the whole contract
- [Status](${WRITTEN_BASE_URL}/v1/status): how far each network is indexed
- [Documentation](${WRITTEN_BASE_URL}/docs): a page for people
`
}

function describeEndpoint(endpoint: Endpoint, { document, examples }: Sources): string {
  const { description, parameters = [] } = operationOf(document, endpoint)
  const inPath = parameters.filter(parameter => parameter.in === 'path')
  const paragraphs = [
    `## GET ${PATHS[endpoint]}`,
    description,
    ...inPath.map(({ name, description }) => `\`${name}\`: ${firstSentence(description)}`),
    requestLines(endpoint, examples),
  ]
  return paragraphs.join('\n\n')
}

function operationOf({ paths }: OpenApiDocument, resource: Resource): Operation {
  const operation = paths[PATHS[resource]]?.get
  if (!operation) throw new Error(`The OpenAPI document has no ${PATHS[resource]}`)
  return operation
}

const firstSentence = (text: string) => text.replace(/(?<=\.) .*/s, '')

const requestLines = (resource: Resource, examples: Examples) =>
  exampleRequests(resource, examples)
    .map(({ finds, url }) => `- ${finds}: ${url}`)
    .join('\n')

/** Of token-events, which has every parameter of user-events too. */
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

/** Longer examples are addresses, hashes and cursors. */
const MAX_EXAMPLE_LENGTH = 24

/** In brackets, the values that a parameter takes; of a short text, an example; of others, nothing. */
function formOf({ anyOf: [one] = [], items, examples = [], ...single }: ValueSchema): string {
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
  const lines = variants.map(({ description, properties = {} }) => {
    const { event } = properties
    const own = Object.keys(properties).filter(field => !common.includes(field))
    return `- ${namesOf(event?.enum ?? [event?.const])}: ${namesOf(own)}. ${firstSentence(description)}`
  })
  return `Every record has ${namesOf(common)}. Addresses and hashes are in lower case. Token ids and quantities are decimal strings, since a JSON number loses digits. Each kind of event has fields of its own:

${lines.join('\n')}`
}

function describeChanges({ document, examples }: Sources): string {
  const { description, parameters = [] } = operationOf(document, 'changes')
  const isAsAbove = (name: string) => PARAMETERS.changes[name] === PARAMETERS['token-events'][name]
  const own = parameters.filter(({ name }) => !isAsAbove(name))
  const asAbove = parameters.filter(({ name }) => isAsAbove(name))
  return `${firstSentence(description)} \`Link\` always holds the address to go on with. An empty answer without \`X-Partial\` says that the copy is up to date: ask again after \`Retry-After\` seconds.

Parameters: ${own.map(({ name, schema }) => `\`${name}\`${formOf(schema)}`).join(', ')}; as above: ${namesOf(asAbove.map(({ name }) => name))}.

${requestLines('changes', examples)}`
}

/** By status; what the gateway answers by itself is among them. */
function errorLines(): string[] {
  const own = Object.entries(PROBLEMS).map(([kind, row]) => ({
    ...row,
    ...EXPLANATIONS[kind as ProblemKind],
  }))
  return [...own, THROTTLED]
    .toSorted((a, b) => a.status - b.status)
    .map(({ status, title, remedy }) => `- \`${status}\` ${title}. ${firstSentence(remedy)}`)
}
