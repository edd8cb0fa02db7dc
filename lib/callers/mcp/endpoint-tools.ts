import type { OpenApiDocument, Parameter } from '../../site/openapi/openapi-document.ts'

export type EndpointTool = ReturnType<typeof endpointTools>[number]

/** The default page size, smaller than the service's default because assistants pay for their input. */
export const PAGE_SIZE = 10

const PAGED = `A page has ${PAGE_SIZE} records by default. The cursor of the next page is at the beginning of the result, not in a \`Link\`. To get that page, repeat the call with the same arguments and this \`cursor\`.`

/** Matches the headers that are passed to an assistant. Most others are for caches, browsers and operators. */
const TOLD_HEADER = /^(x-(?!request-id$)|retry-after$)/i

export const endpointTools = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).map(([path, { get: operation }]) => {
    const { summary, description, parameters = [], responses } = operation
    const [, , resource = ''] = path.split('/')
    const isPaged = parameters.some(({ name }) => name === 'limit')
    return {
      name: resource.replaceAll('-', '_'),
      title: summary,
      description: isPaged ? `${description} ${PAGED}` : description,
      inputSchema: {
        type: 'object' as const,
        properties: Object.fromEntries(parameters.map(parameter => [parameter.name, propertyOf(parameter)])),
        required: parameters.filter(({ required }) => required).map(({ name }) => name),
        additionalProperties: false,
      },
      path,
      isPaged,
      headers: Object.keys(responses[200].headers ?? {}).filter(name => TOLD_HEADER.test(name)),
    }
  })

const propertyOf = ({ name, schema, description }: Parameter) => ({
  ...schema,
  description,
  ...(name === 'limit' && { default: PAGE_SIZE }),
})
