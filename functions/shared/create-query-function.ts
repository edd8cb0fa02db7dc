import { createHandler } from '../../lib/http/create-handler.ts'
import { createFreshness } from '../../lib/http/freshness.ts'
import { readQueryConfig } from '../../lib/http/function-config.ts'
import { createCallObserver } from '../../lib/observe/create-call-observer.ts'
import type { Endpoint } from '../../lib/query/endpoint.ts'
import { createClient } from '../../lib/store/create-client.ts'
import { createDynamoEventStore } from '../../lib/store/dynamo-event-store.ts'
import { createCheckpointReader } from '../../lib/store/read-checkpoints.ts'

/** The function of one endpoint, over the table that the environment names. Begins to read how far it is indexed. */
export function createQueryFunction(endpoint: Endpoint) {
  const { tableName, publicBaseUrl } = readQueryConfig(process.env)
  const client = createClient()
  const table = { client, tableName }
  const store = createDynamoEventStore(table)
  const freshness = createFreshness(createCheckpointReader(table))
  // The first request needs it, and finds it begun, or done where Lambda has started an instance ahead of it.
  freshness.prefetch()
  const observer = createCallObserver()
  return createHandler(endpoint, { store, publicBaseUrl, observer, freshness })
}
