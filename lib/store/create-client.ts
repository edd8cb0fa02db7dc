import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { REQUEST_TIMEOUT_MS } from '../query/budget.ts'
import { createRequestHandler } from './call-signal.ts'
import { dropLogging } from './drop-logging.ts'

/** A connection inside a region stands within some milliseconds; what takes longer is a fault, and retried. */
const CONNECTION_TIMEOUT_MS = 500
/** With the SDK's delays between them, three attempts end within a function's deadline. */
const MAX_ATTEMPTS = 3

/** A client for answering requests: it would rather fail soon than keep a caller waiting. */
export function createClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  const client = new DynamoDBClient({
    ...config,
    maxAttempts: MAX_ATTEMPTS,
    retryMode: 'standard',
    cacheMiddleware: true,
    requestHandler: createRequestHandler({
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      // The limit above is for the answer's head; this one is for a body that stops arriving.
      socketTimeout: REQUEST_TIMEOUT_MS,
    }),
  })
  return dropLogging(client)
}
