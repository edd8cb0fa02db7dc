import { env } from 'node:process'
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { dropLogging } from '../store/create-client.ts'
import { requestLimits } from '../store/request-limits.ts'
import { findRegion } from './find-region.ts'

const CONNECTION_TIMEOUT_MS = 3000
const COMMAND_TIMEOUT_MS = 30_000

/** Without limits, a command would wait for hours for an answer that never arrives. */
export const commandLimits = (answerMs = COMMAND_TIMEOUT_MS) =>
  requestLimits({ connectionMs: CONNECTION_TIMEOUT_MS, answerMs })

/** Values that the SDK requires but an engine outside AWS ignores. */
const OUTSIDE_AWS = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }

/** Outside AWS, uses placeholder credentials if the SDK finds none, and a placeholder region if none is configured. */
export async function commandClient(options: {
  endpoint?: string
  region?: string
  requestTimeoutMs?: number
}): Promise<DynamoDBClient> {
  const { endpoint, region = await findRegion(), requestTimeoutMs } = options
  const config: DynamoDBClientConfig = {
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    requestHandler: commandLimits(requestTimeoutMs),
  }
  const client = dropLogging(new DynamoDBClient(config))
  if (!endpoint || isInAws(endpoint)) return client
  // Without this setting, a search that finds no credentials would wait for an EC2 instance's metadata service.
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
