import { createIndexHandler } from '../lib/ingest/indexer/create-index-handler.ts'
import { createIndexObserver } from '../lib/ingest/indexer/create-index-observer.ts'
import { readIndexEnvironment } from '../lib/ingest/indexer/index-config.ts'
import { createIndexingClient } from '../lib/store/create-client.ts'

const { tableName, networks, changesKeptDays, readConfig } = readIndexEnvironment(process.env)

export const handler = createIndexHandler({
  tableName,
  networks,
  changesKeptDays,
  readConfig,
  createClient: async () => createIndexingClient(),
  observer: createIndexObserver(),
})
