import { createDynamoChangeStore } from '../lib/feed/dynamo-change-store.ts'
import { createPublishHandler } from '../lib/feed/publisher/create-publish-handler.ts'
import { createPublishObserver } from '../lib/feed/publisher/create-publish-observer.ts'
import { createTableFeed } from '../lib/feed/publisher/feeds/table-feed.ts'
import { readPublishEnvironment } from '../lib/feed/publisher/read-publish-environment.ts'
import { createIndexingClient } from '../lib/store/create-client.ts'
import { createDynamoEventStore } from '../lib/store/reading/dynamo-event-store.ts'

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
