import { createIndexHandler } from '../lib/ingest/indexer/create-index-handler.ts'
import { readIndexEnvironment } from '../lib/ingest/indexer/read-index-config.ts'
import { createIndexObserver } from '../lib/observe/create-index-observer.ts'
import { createIndexingClient } from '../lib/store/create-indexing-client.ts'

const { tableName, changesKeptDays, readConfig } = readIndexEnvironment(process.env)

export const handler = createIndexHandler({
  tableName,
  changesKeptDays,
  readConfig,
  createClient: async () => createIndexingClient(),
  observer: createIndexObserver(),
})
