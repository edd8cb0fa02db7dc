import { devNull } from 'node:os'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Kept } from './fingerprint.ts'

export const TABLE_NAME = 'events'

export interface DatabaseOptions {
  dataDir: string
  fresh: boolean
  fingerprint: string
  /** Whether the user named files, or requested an empty table. If false, the bundled files are loaded. */
  eventsNamed: boolean
  fill: (client: DynamoDBClient) => Promise<void>
}

export interface OpenedDatabase {
  endpoint: string
  /** Undefined for a new table. */
  kept?: Kept
}

/** Values that the SDK requires, although an engine on this machine ignores them. */
const LOCAL_ACCESS = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
}

/**
 * Points the AWS SDK at an endpoint, in this process and in the processes that it starts. Replaces the user's AWS
 * variables with placeholders, unless the command line names the endpoint and the variables provide credentials.
 */
export function pointSdkAt(endpoint: string, { named }: { named: boolean }): void {
  const { env } = process
  if (!(named && (env.AWS_ACCESS_KEY_ID || env.AWS_PROFILE))) {
    for (const name of Object.keys(env).filter(each => each.startsWith('AWS_'))) delete env[name]
    Object.assign(env, LOCAL_ACCESS)
  }
  env.AWS_ENDPOINT_URL_DYNAMODB = endpoint
}
