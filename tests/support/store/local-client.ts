import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** Values that the SDK requires and a local engine ignores. */
export const LOCAL_ACCESS = {
  region: 'local',
  // The SDK modifies the given object.
  get credentials() {
    return { accessKeyId: 'local', secretAccessKey: 'local' }
  },
}

/** A client of an engine on this machine. */
export const localClient = (endpoint: string, config: DynamoDBClientConfig = {}) =>
  new DynamoDBClient({ ...LOCAL_ACCESS, endpoint, ...config })
