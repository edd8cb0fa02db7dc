import type { EventRecord } from '../../../lib/events/record.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import { createDynamoEventStore } from '../../../lib/store/dynamo-event-store.ts'
import { writeEvents } from '../../../lib/store/write-events.ts'
import type { ApiRequest, Endpoint } from '../requests/api-request.ts'
import type { TestEngine } from '../store/engine.ts'
import { ask, directPayload, type HttpAnswer } from './ask.ts'
import { type Format, type HttpOptions, lambdaContext } from './http-events.ts'
import { queryFunctions } from './query-functions.ts'

export interface ServedEvents {
  store: EventStore
  ask(request: ApiRequest, options: Format | HttpOptions): Promise<HttpAnswer>
  /** Invokes the function of the request's endpoint as an AWS service would. */
  invoke(request: ApiRequest, asNumbers?: boolean): Promise<unknown>
  invokeWith(endpoint: Endpoint, payload: unknown): Promise<unknown>
  write(records: EventRecord[]): Promise<void>
  /** How many times the store was asked for anything so far. */
  readCount(): number
}

/** Writes the events into a table of their own and puts both functions over it. */
export async function serveEvents(
  engine: TestEngine,
  records: EventRecord[],
  options: { publicBaseUrl?: string } = {},
): Promise<ServedEvents> {
  const { client } = engine
  const tableName = await engine.createEventsTable()
  let reads = 0
  const store = counting(createDynamoEventStore({ client: engine.reader, tableName }), () => reads++)
  const handlers = queryFunctions({ store, ...options })
  const write = async (added: EventRecord[]) => {
    await writeEvents({ client, tableName }, added)
  }
  await write(records)
  return {
    store,
    ask: (request, format) => ask(handlers[request.endpoint], request, format),
    invoke: (request, asNumbers) =>
      handlers[request.endpoint](directPayload(request, asNumbers), lambdaContext()),
    invokeWith: (endpoint, payload) => handlers[endpoint](payload, lambdaContext()),
    write,
    readCount: () => reads,
  }
}

/** The same store, telling of every question it is asked. */
const counting = (store: EventStore, onRead: () => void): EventStore => ({
  ...store,
  readList: (...reading) => {
    onRead()
    return store.readList(...reading)
  },
  loadRecords: (...rows) => {
    onRead()
    return store.loadRecords(...rows)
  },
})
