import { chunkList } from '../../../lib/store/format/event-items.ts'
import { LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'
import { TableBusyError } from '../../../lib/store/try-again.ts'
import {
  deleteRecentBlocks,
  putRecentBlocks,
  readRecentBlocks,
} from '../../../lib/store/writing/recent-blocks.ts'
import { type WriteOptions, type WriteSummary, writeEvents } from '../../../lib/store/writing/write-events.ts'
import { type Interceptor, type ProxiedRequest, useFaultProxies } from '../../support/faults/fault-proxy.ts'
import { internalError, isWrite, pass, reset, throttled, unprocessed } from '../../support/faults/faults.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { useEngine } from '../../support/store/engine.ts'
import { localClient } from '../../support/store/local-client.ts'
import { itemsOfAll, storedItems } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const RECORDS = eventSetOf({ blocks: 10, events: 3 }, 7)

/** The keys of the items in a request. */
type Batch = string[]

const startFaultProxy = useFaultProxies()

/** The proxy injects a fault into each batch. The client never retries, so all retries are the writer's. */
async function setup(fault: Interceptor = pass) {
  const tableName = await engine.createEventsTable()
  const batches: Batch[] = []
  const proxy = await startFaultProxy(engine.endpoint, (request, forward) => {
    if (!isWrite(request)) return forward()
    batches.push(keysIn(request))
    return fault(request, forward)
  })
  const client = localClient(proxy.url, { maxAttempts: 1 })
  type Records = Parameters<typeof writeEvents>[1]
  return {
    batches,
    write: (records: Records, options: Partial<WriteOptions> = {}) =>
      writeEvents({ client, tableName, ...options }, records),
    stored: () => storedItems(engine.client, tableName),
  }
}

function keysIn({ body }: ProxiedRequest): Batch {
  type Key = Record<string, { S: string }>
  const { RequestItems } = JSON.parse(body) as {
    RequestItems: Record<string, { PutRequest: { Item: Key } }[]>
  }
  const items = Object.values(RequestItems).flatMap(puts => puts.map(({ PutRequest }) => PutRequest.Item))
  return items.map(({ [LIST_KEY]: list, [PLACE_KEY]: place }) => `${list?.S} ${place?.S}`)
}

describe('writing events', () => {
  it('sends at most 25 items in a batch, and none of the same key, even if an event is given twice', async () => {
    const { write, stored, batches } = await setup()
    await write(RECORDS.flatMap(record => [record, record]))
    expect(Math.max(...batches.map(({ length }) => length))).toBe(25)
    for (const keys of batches) expect(new Set(keys).size).toBe(keys.length)
    expect(await stored()).toEqual(itemsOfAll(RECORDS))
  })

  it('takes events only as fast as they are stored', async () => {
    const { write } = await setup()
    let given = 0
    let stored: WriteSummary | undefined
    let furthestAhead = 0
    async function* records() {
      for (const record of RECORDS) {
        given += 1
        furthestAhead = Math.max(furthestAhead, given - (stored?.events ?? 0))
        yield record
      }
    }
    const onStored = (soFar: WriteSummary) => {
      stored = soFar
    }
    await write(records(), { batchesInFlight: 2, onStored })
    expect(stored?.events).toBe(RECORDS.length)
    // Two batches in flight and two batches being filled have room for 100 items. An event has at least 4 items, so
    // these batches contain at most 25 events. The writer has also read the next 25 events.
    expect(furthestAhead).toBeLessThanOrEqual(50)
    expect(RECORDS.length).toBeGreaterThan(40)
  })
})

describe('writing events when DynamoDB fails', () => {
  const all = unprocessed(writes => writes)

  it.each([
    ['throttled', throttled],
    ['broken', internalError],
    ['out of reach', reset],
    ['taking nothing', all],
  ])('gives up after so many tries without any progress, where it is %s', async (_, fault) => {
    const { write, batches } = await setup(fault)
    const writing = write(RECORDS, { maxTries: 3, batchesInFlight: 1 })
    const message = /^The table events-\S+ did not accept a request in 3 consecutive attempts$/
    await expect(writing).rejects.toThrow(TableBusyError)
    await expect(writing).rejects.toThrow(message)
    expect(batches).toHaveLength(3)
  })

  it('does not give up while there is progress, however little', async () => {
    const { write, stored } = await setup(unprocessed(writes => writes - 1))
    await write(RECORDS.slice(0, 1), { maxTries: 2 })
    expect(await stored()).toEqual(itemsOfAll(RECORDS.slice(0, 1)))
  })

  it('fails at once when there is no such table', async () => {
    const { write, batches } = await setup()
    await expect(write(RECORDS, { tableName: 'no-such-table', batchesInFlight: 1 })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
    expect(batches).toHaveLength(1)
  })

  it('can be stopped, and what it left out be written later and counted', async () => {
    const { write, stored, batches } = await setup()
    const stop = new AbortController()
    const onStored = ({ events }: WriteSummary) => events >= 5 && stop.abort()
    const writing = write(RECORDS, { batchesInFlight: 2, signal: stop.signal, onStored })
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' })
    const sent = batches.length
    const summary = await write(RECORDS)
    const expected = itemsOfAll(RECORDS)
    expect(sent).toBeLessThan(batches.length / 2)
    expect(await stored()).toEqual(expected)
    expect(summary).toMatchObject({ events: RECORDS.length, items: expected.length })
    expect(summary.writeUnits).toBeGreaterThanOrEqual(expected.length)
  })
})

test('a block is remembered whole, however many of its events have chunks', async () => {
  const tableName = await engine.createEventsTable()
  const table = { client: engine.documents, tableName, network: 'base' } as const
  const event = makeEvent('Minted', { network: 'base' })
  const { blockNumber, blockHash } = event
  const block = { blockNumber, blockHash, parentHash: blockHash, timestamp: 1_700_000_000 }
  const listOf = (logIndex: number) => ({ list: chunkList({ ...event, logIndex }), chunks: 1 })
  const chunkLists = Array.from({ length: 5000 }, (_, logIndex) => listOf(logIndex))
  const next = { ...block, blockNumber: blockNumber + 1, blockHash: event.transactionHash, chunkLists: [] }

  await putRecentBlocks([{ ...block, chunkLists }, next], table)

  expect(await readRecentBlocks(table)).toEqual([{ ...block, chunkLists }, next])
  // Names only some of the block's lists, like a run that finds only the lists that a killed run has left.
  await deleteRecentBlocks([{ ...block, chunkLists: chunkLists.slice(0, 1500) }], table)
  expect(await readRecentBlocks(table)).toEqual([next])
})
