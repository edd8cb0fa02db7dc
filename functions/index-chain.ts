import { createIndexHandler } from '../lib/ingest/indexer/create-index-handler.ts'
import { logIndexObserver } from '../lib/ingest/indexer/log-index-observer.ts'
import { readIndexEnvironment } from '../lib/ingest/indexer/read-index-config.ts'
import { createIndexingClient } from '../lib/store/create-indexing-client.ts'

const { tableName, readConfig } = readIndexEnvironment(process.env)

export const handler = createIndexHandler({
  tableName,
  readConfig,
  createClient: async () => createIndexingClient(),
  observer: logIndexObserver(),
})
