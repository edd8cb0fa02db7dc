import { createChangesHandler } from '../../../lib/feed/create-changes-handler.ts'
import { createDynamoChangeStore } from '../../../lib/feed/dynamo-change-store.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import type { LambdaHandler } from '../http/ask.ts'

export const changesFunction = (
  table: EventTable,
  options: { publicBaseUrl?: string; now?: () => number } = {},
): LambdaHandler =>
  createChangesHandler({
    store: createDynamoEventStore(table),
    changeStore: createDynamoChangeStore(table),
    ...options,
  }) as unknown as LambdaHandler
