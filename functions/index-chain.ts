import { createIndexHandler } from '../lib/ingest/indexer/create-index-handler.ts'
import { createIndexObserver } from '../lib/ingest/indexer/create-index-observer.ts'
import { readIndexEnvironment } from '../lib/ingest/indexer/index-config.ts'
import { createIndexingClient } from '../lib/store/create-client.ts'

export const handler = createIndexHandler({
  ...readIndexEnvironment(process.env),
  createClient: async () => createIndexingClient(),
  observer: createIndexObserver(),
})
