import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { READ_TIMEOUT_MS } from '../query/budget.ts'
import { abortBySignal, type RequestHandler } from './call-signal.ts'

/**
 * The longest wait for a connection. Inside a region, a connection opens within a few milliseconds, so a slower one is
 * a fault, and is retried.
 */
const CONNECTION_TIMEOUT_MS = { reading: 500, indexing: 1000 } as const
/**
 * The request timeout of a client that writes under a lease. It is far shorter than the last part of the default lease,
 * in which no request is sent, so every request ends in time.
 */
export const INDEXING_TIMEOUT_MS = 5000
/** The maximum number of attempts. Three attempts and the SDK's delays between them fit into a function's deadline. */
const MAX_ATTEMPTS = 3

/**
 * Creates a client for the functions that answer requests. It fails soon, so that callers do not wait. A given
 * `handler` replaces the SDK's own with these time limits, and must have its own.
 */
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
    // `requestTimeout` limits the wait for the response's headers, and `socketTimeout` the wait if the body stops
    // arriving.
    socketTimeout: READ_TIMEOUT_MS,
  })

/** Creates a client for writing under a lease. Every request ends before the lease expires. */
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
 * Removes the SDK's logging middleware, to save a quarter of the CPU of a page of 50 events. Even if no logger is set,
 * the middleware copies every request and response to leave out secrets. The removal relies on the SDK's internals, so
 * `package.json` pins its exact version.
 */
export function dropLogging(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.remove('loggerMiddleware')
  return client
}
