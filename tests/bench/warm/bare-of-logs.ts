import { createHandler } from '../../../lib/http/create-handler.ts'
import { createFreshness } from '../../../lib/http/freshness.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'

const table = { client: createClient(), tableName: process.env.EVENTS_TABLE ?? '' }

export const handler = createHandler('user-events', {
  store: createDynamoEventStore(table),
  freshness: createFreshness(createCheckpointReader(table)),
})
