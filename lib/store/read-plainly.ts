import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** Nothing in their answers is of a type that JSON doesn't have, as binary values are. */
const PLAIN_OPERATIONS = new Set(['Query'])

interface Protocol {
  deserializeResponse(operation: { name: string }, context: Context, response: Response): Promise<unknown>
}
interface Context {
  streamCollector(body: unknown): Promise<Uint8Array>
}
interface Response {
  statusCode: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: unknown
}

/**
 * Has a client return the answers to queries as they come, parsed and no more: the SDK would walk through
 * every attribute of every item, to find each as it should be.
 */
export function readPlainly(client: DynamoDBClient): void {
  const protocol = client.config.protocol as Protocol
  const deserialize = protocol.deserializeResponse.bind(protocol)
  protocol.deserializeResponse = async (operation, context, response) => {
    const { statusCode: httpStatusCode, headers, body } = response
    if (httpStatusCode !== 200 || !PLAIN_OPERATIONS.has(operation.name)) {
      return deserialize(operation, context, response)
    }
    const { buffer, byteOffset, byteLength } = await context.streamCollector(body)
    const output = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString())
    return { ...output, $metadata: { httpStatusCode, requestId: headers['x-amzn-requestid'] } }
  }
}
