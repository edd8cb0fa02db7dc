import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createFreshness } from '../../../lib/http/freshness.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { putBlockTimes } from '../../../lib/store/writing/block-times.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import type { Finality } from '../oracle/oracle.ts'
import type { ApiRequest, Endpoint } from '../requests/api-request.ts'
import { useStarted } from '../runner/use-started.ts'
import type { TestEngine } from '../store/engine.ts'
import { ask, directPayload } from './ask.ts'
import { type Format, type HttpOptions, lambdaContext } from './http-events.ts'
import { queryFunctions } from './query-functions.ts'

export type ServedEvents = Awaited<ReturnType<typeof serveEvents>>

interface ServeOptions {
  finality?: Finality
  /** The table's networks, by default all. */
  networks?: readonly Network[] | undefined
}

/** Writes the events into a new table that both query functions read. */
export async function serveEvents(
  engine: TestEngine,
  records: EventRecord[],
  { finality, networks }: ServeOptions = {},
) {
  const { client } = engine
  const tableName = await engine.createEventsTable()
  const store = createDynamoEventStore({ client: engine.reader, tableName, networks })
  const handlers = queryFunctions({
    store,
    ...(finality && { freshness: createFreshness(checkpointsOf(finality)) }),
  })
  const write = async (added: EventRecord[]) => {
    await writeEvents({ client, tableName, networks }, added)
  }
  await write(records)
  await noteBlocks(records, { client, tableName })
  return {
    store,
    ask: (request: ApiRequest, format: Format | HttpOptions) =>
      ask(handlers[request.endpoint], request, format),
    invoke: (request: ApiRequest, asValues?: boolean) =>
      handlers[request.endpoint](directPayload(request, asValues), lambdaContext()),
    invokeWith: (endpoint: Endpoint, payload: unknown) => handlers[endpoint](payload, lambdaContext()),
    write,
  }
}

export const useServedEvents = (...given: Parameters<typeof serveEvents>) =>
  useStarted(() => serveEvents(...given))

/** Stores the times of some blocks, as writers do. */
async function noteBlocks(records: EventRecord[], { client, tableName }: EventTable): Promise<void> {
  const noted = records.filter(({ blockNumber }) => blockNumber % 3 === 0)
  for (const [network, ofNetwork] of Map.groupBy(noted, record => record.network)) {
    const times = new Map(ofNetwork.map(record => [record.blockNumber, Date.parse(record.createdAt) / 1000]))
    const all = [...times].map(([blockNumber, timestamp]) => ({ blockNumber, timestamp }))
    await putBlockTimes(network, all, { client: DynamoDBDocumentClient.from(client), tableName })
  }
}

/** In these checkpoints, the time of a block is its number. */
const checkpointsOf = (finality: Finality) => async () => ({
  networks: Object.entries(finality).map(([network, finalizedBlock]) => ({
    network: network as Network,
    blockNumber: finalizedBlock + 100,
    timestamp: finalizedBlock + 100,
    finalizedBlock,
    finalizedTimestamp: finalizedBlock,
  })),
  calls: 1,
  examined: 5,
  readUnits: 0.5,
})
