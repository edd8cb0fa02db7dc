import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** The SDK requires these values, but a local engine ignores them. */
export const LOCAL_ACCESS = {
  region: 'local',
  // Each client needs its own object, because the SDK modifies it.
  get credentials() {
    return { accessKeyId: 'local', secretAccessKey: 'local' }
  },
}

export const localClient = (endpoint: string, config: DynamoDBClientConfig = {}) =>
  new DynamoDBClient({ ...LOCAL_ACCESS, endpoint, ...config })
