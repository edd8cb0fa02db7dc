import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** What the SDK wants to be told; an engine on this machine looks at none of it. */
export const LOCAL_ACCESS = {
  region: 'local',
  // The SDK adds to what it is given.
  get credentials() {
    return { accessKeyId: 'local', secretAccessKey: 'local' }
  },
}

/** A client of an engine on this machine. */
export const localClient = (endpoint: string, config: DynamoDBClientConfig = {}) =>
  new DynamoDBClient({ ...LOCAL_ACCESS, endpoint, ...config })
