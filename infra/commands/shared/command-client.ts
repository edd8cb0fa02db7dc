import { env } from 'node:process'
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { dropLogging } from '../../../lib/store/drop-logging.ts'
import { findRegion } from '../../deploy/find-region.ts'

const CONNECTION_TIMEOUT_MS = 3000
const REQUEST_TIMEOUT_MS = 30_000

/** What the SDK wants to be told; an engine outside AWS looks at none of it. */
const OUTSIDE_AWS = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
}

/**
 * A client for a command: of DynamoDB in AWS, with the SDK's usual search for credentials and the region that a
 * deployment finds, or of the endpoint that is given. Where no credentials are found for an endpoint outside AWS, made-up ones
 * will do.
 */
export async function commandClient(options: {
  endpoint?: string
  region?: string
  requestTimeoutMs?: number
}): Promise<DynamoDBClient> {
  const { endpoint, region = await findRegion() } = options
  const config: DynamoDBClientConfig = {
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  }
  const client = dropLogging(new DynamoDBClient(config))
  if (!endpoint || isInAws(endpoint)) return client
  // The search would end with a wait for the metadata of a virtual machine in AWS.
  env.AWS_EC2_METADATA_DISABLED = 'true'
  const [foundCredentials] = await Promise.allSettled([client.config.credentials()])
  const withFound = new DynamoDBClient({
    region: OUTSIDE_AWS.region,
    ...config,
    ...(foundCredentials.status === 'rejected' && { credentials: OUTSIDE_AWS.credentials }),
  })
  return dropLogging(withFound)
}

const isInAws = (endpoint: string) => /\.(amazonaws\.com(\.cn)?|api\.aws)$/.test(new URL(endpoint).hostname)
