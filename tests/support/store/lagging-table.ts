import type { EventRecord } from '../../../lib/events/record.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { type Item, itemsOf } from '../../../lib/store/format/event-items.ts'
import { putItems } from '../../../lib/store/writing/put-items.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { liftTimeLimits } from '../faults/time-limits.ts'
import type { TestEngine } from './engine.ts'
import { LOCAL_ACCESS } from './local-client.ts'

/** A table in which any item may be missing from the indexes and from eventually consistent reads. */
export type LaggingTable = Awaited<ReturnType<typeof createLaggingTable>>

export const arrivingItems = (records: readonly EventRecord[]): Item[] =>
  records.map(itemsOf).flatMap(({ chunks, entries }) => [...chunks, ...entries])

interface Reading {
  ConsistentRead?: boolean
  /** Only a BatchGetItem has this property. */
  RequestItems?: Record<string, { ConsistentRead?: boolean }>
}

/** Creates a table for stored items, a table for arrived items, and a client that chooses the table for each read. */
export async function createLaggingTable(engine: TestEngine) {
  const [tableName, arrived] = [await engine.createEventsTable(), await engine.createEventsTable()]
  const put = (items: readonly Item[], table: string) =>
    putItems(items, { client: engine.documents, tableName: table })
  const reader = liftTimeLimits(createClient({ ...LOCAL_ACCESS, endpoint: engine.endpoint }))
  reader.middlewareStack.add(
    next => async args => {
      const { RequestItems, ...input } = args.input as Reading
      const batch = RequestItems?.[tableName]
      const table = (batch ?? input).ConsistentRead === true ? tableName : arrived
      if (!batch) return next({ ...args, input: { ...input, TableName: table } })
      const { output, ...answer } = await next({
        ...args,
        input: { ...input, RequestItems: { [table]: batch } },
      })
      const ofTable = (of: object = {}) =>
        Object.fromEntries(Object.values(of).map(each => [tableName, each]))
      const { Responses, UnprocessedKeys } = output as { Responses?: object; UnprocessedKeys?: object }
      const renamed = { Responses: ofTable(Responses), UnprocessedKeys: ofTable(UnprocessedKeys) }
      return { ...answer, output: { ...output, ...renamed } }
    },
    { step: 'initialize' },
  )
  return {
    tableName,
    /** The functions' client. Consistent reads see all stored items, but other reads only items that have arrived. */
    reader,
    /** Stores events without letting any of their items arrive. */
    store: (records: readonly EventRecord[]) => writeEvents({ client: engine.client, tableName }, records),
    storeItems: (items: readonly Item[]) => put(items, tableName),
    /** Makes items visible to eventually consistent reads, even if the items have been deleted from the table. */
    arrive: (items: readonly Item[]) => put(items, arrived),
    stop: () => reader.destroy(),
  }
}
