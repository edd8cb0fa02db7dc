import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** Nothing in what they read here is of a type that JSON doesn't have, as the binary values of chunks are. */
const OPERATIONS = new Set(['Query'])

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
 * Has a client return the answers to queries as they come, parsed and no more. The SDK would walk through every
 * attribute of every item; of types that JSON has, it makes what JSON.parse has made already.
 */
export function skipDeserialization(client: DynamoDBClient): void {
  const protocol = client.config.protocol as Protocol
  const deserialize = protocol.deserializeResponse.bind(protocol)
  protocol.deserializeResponse = async (operation, context, response) => {
    const { statusCode: httpStatusCode, headers, body } = response
    if (httpStatusCode !== 200 || !OPERATIONS.has(operation.name)) {
      return deserialize(operation, context, response)
    }
    const { buffer, byteOffset, byteLength } = await context.streamCollector(body)
    const output = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString())
    return { ...output, $metadata: { httpStatusCode, requestId: headers['x-amzn-requestid'] } }
  }
}
