import { createHandler } from '../lib/http/create-handler.ts'
import { readQueryConfig } from '../lib/http/function-config.ts'
import { logObserver } from '../lib/http/log-observer.ts'
import { createClient } from '../lib/store/create-client.ts'
import { createDynamoEventStore } from '../lib/store/dynamo-event-store.ts'

const { tableName, publicBaseUrl } = readQueryConfig(process.env)
const store = createDynamoEventStore({ client: createClient(), tableName })

export const handler = createHandler('token-events', { store, publicBaseUrl, observer: logObserver })
