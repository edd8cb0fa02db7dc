import type { OpenApiDocument, OperationParameter, ValueSchema } from '../shared/openapi-document.ts'

/** An endpoint as a tool of the Model Context Protocol. */
export interface EndpointTool {
  name: string
  title: string
  description: string
  inputSchema: InputSchema
  /** The path of the endpoint, with names in braces. */
  path: string
  /** The headers of an answer that tell its reader something. */
  headers: string[]
}

interface InputSchema {
  type: 'object'
  properties: Record<string, ValueSchema & { description: string }>
  required: string[]
  additionalProperties: false
}

/** What an assistant reads costs it: fewer records than a page has by default. */
export const PAGE_SIZE = 10

const PAGED = `A page has ${PAGE_SIZE} records unless \`limit\` says otherwise. The result begins with the next cursor, which is what parameters mean by \`Link\`: to go on, call again with the same arguments and this \`cursor\`.`

/** Of the others, caches and browsers make use. */
const TOLD_HEADER = /^(x-(?!request-id$)|retry-after$)/i

/** A tool for each endpoint of the OpenAPI document, with the parameters that the endpoint has. */
export const endpointTools = ({ paths }: OpenApiDocument): EndpointTool[] =>
  Object.entries(paths).map(([path, { get: operation }]) => {
    const { summary, description, parameters = [], responses } = operation
    const [, , resource = ''] = path.split('/')
    const isPaged = parameters.some(({ name }) => name === 'limit')
    return {
      name: resource.replaceAll('-', '_'),
      title: summary,
      description: isPaged ? `${description} ${PAGED}` : description,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(parameters.map(parameter => [parameter.name, propertyOf(parameter)])),
        required: parameters.filter(({ required }) => required).map(({ name }) => name),
        additionalProperties: false,
      },
      path,
      headers: Object.keys(responses[200].headers).filter(name => TOLD_HEADER.test(name)),
    }
  })

const propertyOf = ({ name, schema, description }: OperationParameter) => ({
  ...schema,
  description,
  ...(name === 'limit' && { default: PAGE_SIZE }),
})
