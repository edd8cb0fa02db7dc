import type { ChangeStore } from '../query/changes/change-store.ts'
import type { EventTable } from './event-table.ts'
import { createFrontierReader } from './read-frontiers.ts'
import { createRewindReader } from './read-rewinds.ts'

/** Reads what the feed of changes needs beside events. Throws `StoreUnavailableError` and `CorruptRowError`. */
export const createDynamoChangeStore = (table: EventTable): ChangeStore => ({
  ...createRewindReader(table),
  readFrontiers: createFrontierReader(table),
})
