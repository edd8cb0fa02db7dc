import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** Values that the SDK requires but a local engine ignores. */
export const LOCAL_ACCESS = {
  region: 'local',
  // Each client needs its own object, because the SDK modifies it.
  get credentials() {
    return { accessKeyId: 'local', secretAccessKey: 'local' }
  },
}

/** Creates a client for an engine on this machine. */
export const localClient = (endpoint: string, config: DynamoDBClientConfig = {}) =>
  new DynamoDBClient({ ...LOCAL_ACCESS, endpoint, ...config })
