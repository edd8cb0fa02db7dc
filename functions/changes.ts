import { createChangesHandler } from '../lib/http/create-changes-handler.ts'
import { readQueryConfig } from '../lib/http/function-config.ts'
import { createCallObserver } from '../lib/observe/create-call-observer.ts'
import { createClient } from '../lib/store/create-client.ts'
import { createDynamoChangeStore } from '../lib/store/dynamo-change-store.ts'
import { createDynamoEventStore } from '../lib/store/dynamo-event-store.ts'

const { tableName, networks, publicBaseUrl } = readQueryConfig(process.env)
const table = { client: createClient(), tableName, networks }

export const handler = createChangesHandler({
  store: createDynamoEventStore(table),
  changeStore: createDynamoChangeStore(table),
  publicBaseUrl,
  observer: createCallObserver(),
})
