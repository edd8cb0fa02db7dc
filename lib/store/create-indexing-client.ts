import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dropLogging } from './drop-logging.ts'
import { REQUEST_TIMEOUT_MS } from './hold-lease.ts'

const CONNECTION_TIMEOUT_MS = 1000

/** A client for writing under a lease: no request outlives the margin that the lease leaves for it. */
export const createIndexingClient = (): DynamoDBClient =>
  dropLogging(
    new DynamoDBClient({
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        throwOnRequestTimeout: true,
      },
    }),
  )
