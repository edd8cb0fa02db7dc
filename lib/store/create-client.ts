import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { READ_TIMEOUT_MS } from '../query/budget.ts'
import { abortBySignal, type RequestHandler } from './call-signal.ts'

/** Within a region, a connection opens in a few milliseconds, so a slower attempt is treated as a fault and retried. */
const CONNECTION_TIMEOUT_MS = { reading: 500, indexing: 1000 } as const
/** Far shorter than `MARGIN_PART` of the default lease, so every request ends before the lease expires. */
export const INDEXING_TIMEOUT_MS = 5000
/** Three attempts and the delays between them fit into a function's deadline. */
const MAX_ATTEMPTS = 3

/** For functions that answer requests. The limits above do not apply to a given `handler`, which must set its own. */
export function createClient(
  config: DynamoDBClientConfig = {},
  handler: RequestHandler = createNodeHandler(),
): DynamoDBClient {
  const client = new DynamoDBClient({
    ...config,
    maxAttempts: MAX_ATTEMPTS,
    retryMode: 'standard',
    cacheMiddleware: true,
    requestHandler: abortBySignal(handler),
  })
  return dropLogging(client)
}

const createNodeHandler = () =>
  new NodeHttpHandler({
    connectionTimeout: CONNECTION_TIMEOUT_MS.reading,
    requestTimeout: READ_TIMEOUT_MS,
    throwOnRequestTimeout: true,
    // `requestTimeout` limits the wait for the headers, and `socketTimeout` each wait for more of the body.
    socketTimeout: READ_TIMEOUT_MS,
  })

export const createIndexingClient = (): DynamoDBClient =>
  dropLogging(
    new DynamoDBClient({
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT_MS.indexing,
        requestTimeout: INDEXING_TIMEOUT_MS,
        throwOnRequestTimeout: true,
      },
    }),
  )

/**
 * Removes the SDK's logging middleware, which copies every request and response even without a logger. This saves 25%
 * of the CPU time of a page of 50 events. `package.json` pins the SDK's exact version, because this uses its internals.
 */
export function dropLogging(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.remove('loggerMiddleware')
  return client
}
