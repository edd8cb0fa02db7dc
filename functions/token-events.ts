import { createHandler } from '../lib/http/create-handler.ts'
import { createFreshness } from '../lib/http/freshness.ts'
import { readQueryConfig } from '../lib/http/function-config.ts'
import { logObserver } from '../lib/http/log-observer.ts'
import { createClient } from '../lib/store/create-client.ts'
import { createDynamoEventStore } from '../lib/store/dynamo-event-store.ts'
import { createCheckpointReader } from '../lib/store/read-checkpoints.ts'

const { tableName, publicBaseUrl } = readQueryConfig(process.env)
const table = { client: createClient(), tableName }
const store = createDynamoEventStore(table)
const freshness = createFreshness(createCheckpointReader(table))

export const handler = createHandler('token-events', {
  store,
  publicBaseUrl,
  observer: logObserver,
  freshness,
})
