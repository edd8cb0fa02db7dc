import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { type Item, itemsOf } from '../../../lib/store/format/event-items.ts'
import { putItems } from '../../../lib/store/writing/put-items.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { type Interceptor, type ProxiedAnswer, startFaultProxy } from '../faults/fault-proxy.ts'
import { operationOf } from '../faults/faults.ts'
import { liftTimeLimits } from '../faults/time-limits.ts'
import type { TestEngine } from './engine.ts'
import { LOCAL_ACCESS } from './local-client.ts'

/** A table in which any item may be missing from the indexes and from eventually consistent reads. */
export type LaggingTable = Awaited<ReturnType<typeof startLaggingTable>>

export const arrivingItems = (records: readonly EventRecord[]): Item[] =>
  records.map(itemsOf).flatMap(({ chunks, entries }) => [...chunks, ...entries])

/** Creates a table for stored items, a table for arrived items, and a proxy that chooses the table for each read. */
export async function startLaggingTable(engine: TestEngine) {
  const [tableName, arrived] = [await engine.createEventsTable(), await engine.createEventsTable()]
  const client = DynamoDBDocumentClient.from(engine.client)
  const put = (items: readonly Item[], table: string) => putItems(items, { client, tableName: table })
  const proxy = await startFaultProxy(engine.endpoint, readFrom({ stored: tableName, arrived }))
  const reader = liftTimeLimits(createClient({ ...LOCAL_ACCESS, endpoint: proxy.url }))
  return {
    tableName,
    /** The functions' client. Consistent reads see all stored items, but other reads only items that have arrived. */
    reader,
    /** Stores events without letting any of their items arrive. */
    store: (records: readonly EventRecord[]) => writeEvents({ client: engine.client, tableName }, records),
    storeItems: (items: readonly Item[]) => put(items, tableName),
    /** Makes items visible to eventually consistent reads, even if the items have been deleted from the table. */
    arrive: (items: readonly Item[]) => put(items, arrived),
    async stop() {
      reader.destroy()
      await proxy.stop()
    },
  }
}

interface Tables {
  stored: string
  arrived: string
}

function readFrom(tables: Tables): Interceptor {
  return async (request, forward) => {
    const body = JSON.parse(request.body)
    switch (operationOf(request)) {
      case 'Query':
      case 'GetItem':
        return forward(JSON.stringify({ ...body, TableName: tableOf(body, tables) }))
      case 'BatchGetItem': {
        const asked = body.RequestItems[tables.stored]
        const table = tableOf(asked, tables)
        const answer = await forward(JSON.stringify({ ...body, RequestItems: { [table]: asked } }))
        return renamed(answer, { from: table, to: tables.stored })
      }
      default:
        throw new Error(`A function must only read, but requested ${operationOf(request)}`)
    }
  }
}

const tableOf = ({ ConsistentRead }: { ConsistentRead?: boolean }, { stored, arrived }: Tables) =>
  ConsistentRead === true ? stored : arrived

const renamed = ({ status, body }: ProxiedAnswer, { from, to }: { from: string; to: string }) => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(body.toString('utf8').replaceAll(`"${from}"`, `"${to}"`)),
})
