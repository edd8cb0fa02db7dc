import { createPublishObserver } from '../lib/observe/create-publish-observer.ts'
import { createTableFeed } from '../lib/publisher/feeds/table-feed.ts'
import { createIndexingClient } from '../lib/store/create-client.ts'
import { createDynamoChangeStore } from '../lib/store/dynamo-change-store.ts'
import { createDynamoEventStore } from '../lib/store/dynamo-event-store.ts'
import { createPublishHandler } from './shared/create-publish-handler.ts'
import { readPublishEnvironment } from './shared/read-publish-environment.ts'

const { tableName, networks, publicBaseUrl, follow, readConfig } = readPublishEnvironment(process.env)
const table = { client: createIndexingClient(), tableName, networks }

export const handler = createPublishHandler({
  ...table,
  readConfig,
  follow,
  feed: createTableFeed({
    store: createDynamoEventStore(table),
    changeStore: createDynamoChangeStore(table),
  }),
  delivery: { allowLoopback: false, publicBaseUrl },
  observer: createPublishObserver(),
})
