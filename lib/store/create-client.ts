import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { READ_TIMEOUT_MS } from '../query/budget.ts'
import { abortBySignal, type RequestHandler } from './call-signal.ts'
import { requestLimits } from './request-limits.ts'

/** Within a region, a connection opens in a few milliseconds, so an attempt that takes this long has failed. */
const CONNECTION_TIMEOUT_MS = { reading: 500, indexing: 1000 } as const
/**
 * This timeout is far shorter than the final part (`MARGIN_PART`) of a lease of default duration, so requests end
 * before the lease expires.
 */
export const INDEXING_TIMEOUT_MS = 5000
/** Three attempts and the delays between them fit into a function's deadline. */
const MAX_ATTEMPTS = 3

/** Creates the client of a function that answers requests. A given `handler` must set its own time limits. */
export function createClient(
  config: DynamoDBClientConfig = {},
  handler: RequestHandler = new NodeHttpHandler(
    requestLimits({ connectionMs: CONNECTION_TIMEOUT_MS.reading, answerMs: READ_TIMEOUT_MS }),
  ),
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

export const createIndexingClient = (): DynamoDBClient =>
  dropLogging(
    new DynamoDBClient({
      requestHandler: requestLimits({
        connectionMs: CONNECTION_TIMEOUT_MS.indexing,
        answerMs: INDEXING_TIMEOUT_MS,
      }),
    }),
  )

/**
 * Removes the SDK's logging middleware, which copies every request and response even without a logger. The removal
 * saves a sixth of the CPU time for 50 events. `package.json` pins the SDK's exact version, because this function uses
 * its internals.
 */
export function dropLogging(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.remove('loggerMiddleware')
  return client
}
