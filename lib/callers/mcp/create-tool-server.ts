import { fromJsonSchema, type jsonSchemaValidator, McpServer } from '@modelcontextprotocol/server'
import { readOpenApiDocument } from '../../site/openapi/openapi-document.ts'
import { type Arguments, type AskedService, callEndpoint } from './call-endpoint.ts'
import { endpointTools } from './endpoint-tools.ts'

/** Accepts all arguments, because the service itself validates them and writes the error messages. */
const JUDGED_BY_SERVICE: jsonSchemaValidator = {
  getValidator: () => input => ({ valid: true, data: input as never, errorMessage: undefined }),
}

export function createToolServer(service: AskedService): McpServer {
  const document = readOpenApiDocument()
  const { info } = document
  const server = new McpServer(
    { name: 'blockchain-events', title: info.title, version: info.version },
    { instructions: info.description },
  )
  for (const tool of endpointTools(document)) {
    const { name, title, description, inputSchema } = tool
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: fromJsonSchema<Arguments>(inputSchema, JUDGED_BY_SERVICE),
        annotations: { title, readOnlyHint: true, idempotentHint: true, openWorldHint: true },
      },
      async (given, { mcpReq }) => {
        const signal = AbortSignal.any([service.signal, mcpReq.signal])
        return { content: [{ type: 'text', text: await callEndpoint(tool, given, { ...service, signal }) }] }
      },
    )
  }
  return server
}
