import { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** A connection inside a region stands within some milliseconds; what takes longer is a fault, and retried. */
const CONNECTION_TIMEOUT_MS = 500
/** A Query of 1 MB takes some 100 ms; with three attempts a call fails within a function's deadline. */
const REQUEST_TIMEOUT_MS = 2000
const MAX_ATTEMPTS = 3

/** A client for answering requests: it would rather fail soon than keep a caller waiting. */
export function createClient(): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  })
}
