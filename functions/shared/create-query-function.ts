import { createCallObserver } from '../../lib/http/create-call-observer.ts'
import { createHandler } from '../../lib/http/create-handler.ts'
import { createFreshness } from '../../lib/http/freshness.ts'
import { readQueryConfig } from '../../lib/http/function-config.ts'
import type { Endpoint } from '../../lib/query/endpoints.ts'
import { createClient } from '../../lib/store/create-client.ts'
import { createDynamoEventStore } from '../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../lib/store/reading/read-checkpoints.ts'

export function createQueryFunction(endpoint: Endpoint) {
  const { publicBaseUrl, ...config } = readQueryConfig(process.env)
  const table = { client: createClient(), ...config }
  const store = createDynamoEventStore(table)
  const freshness = createFreshness(createCheckpointReader(table))
  // The first request needs the checkpoints, so the function reads them while its instance is still starting.
  freshness.prefetch()
  return createHandler(endpoint, { store, publicBaseUrl, observer: createCallObserver(), freshness })
}
