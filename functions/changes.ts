import { createChangesHandler } from '../lib/feed/create-changes-handler.ts'
import { createDynamoChangeStore } from '../lib/feed/dynamo-change-store.ts'
import { createCallObserver } from '../lib/http/create-call-observer.ts'
import { readQueryConfig } from '../lib/http/function-config.ts'
import { createClient } from '../lib/store/create-client.ts'
import { createDynamoEventStore } from '../lib/store/reading/dynamo-event-store.ts'

const { tableName, networks, publicBaseUrl } = readQueryConfig(process.env)
const table = { client: createClient(), tableName, networks }

export const handler = createChangesHandler({
  store: createDynamoEventStore(table),
  changeStore: createDynamoChangeStore(table),
  publicBaseUrl,
  observer: createCallObserver(),
})
