import { createAuditHandler } from '../lib/audit/create-audit-handler.ts'
import { createAuditObserver } from '../lib/audit/create-audit-observer.ts'
import { readIndexEnvironment } from '../lib/ingest/indexer/index-config.ts'
import { createIndexingClient } from '../lib/store/create-client.ts'

export const handler = createAuditHandler({
  ...readIndexEnvironment(process.env),
  client: createIndexingClient(),
  observer: createAuditObserver(),
})
