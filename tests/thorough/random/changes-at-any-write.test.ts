import { BatchWriteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import type { Address } from 'viem'
import type { Call } from '../../../infra/recording/activity.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { loadFiles } from '../../../lib/ingest/load/load-files.ts'
import { cutBatches } from '../../../lib/store/event-table.ts'
import type { Item } from '../../../lib/store/format/item.ts'
import { MAX_BATCH_ITEMS } from '../../../lib/store/writing/put-items.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { changesFunction } from '../../support/changes/changes-function.ts'
import { createSimpleReader, type SimpleReader } from '../../support/changes/simple-reader.ts'
import { storedEvents } from '../../support/changes/stored-events.ts'
import { type FaultProxy, startFaultProxy } from '../../support/faults/fault-proxy.ts'
import { isWrite } from '../../support/faults/faults.ts'
import { hasUser } from '../../support/oracle/oracle.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { ndjson, rawLogOf } from '../../support/records/raw-log-of.ts'
import { IS_LONG_RUN } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { localClient } from '../../support/store/local-client.ts'

knowNodeErrors()
const engine = useEngine()
const writeText = useTextFiles()
const NETWORK = 'polygon'
/** The maximum number of writes that are interrupted. In a short run they are at equal distances. */
const MOST_WRITES = IS_LONG_RUN ? Number.POSITIVE_INFINITY : 3
/** New readers start before every n-th write. */
const READERS_EVERY = IS_LONG_RUN ? 1 : 4
const DEAD_AFTER_MS = 151_000

let chain: TestChain
/**
 * The table's items before a case starts. `narrow` has the events of one contract, and `all` has the events of both
 * contracts.
 */
const before: { narrow: Item[]; all: Item[] } = { narrow: [], all: [] }
let oldEvents: string

beforeAll(async () => {
  chain = await startChain()
  await chain.mine([mint(0, 1), mint(1, 1)])
  await chain.mineEmpty(66)
  await chain.mine([mint(0, 2), mint(1, 2)])
  await chain.mine([mint(0, 3)])
  before.narrow = await tableAfter(tableName =>
    indexChain({ ...target(tableName), contracts: chain.contracts.slice(0, 1), fromBlock: 2 }),
  )
  before.all = await tableAfter(tableName => indexChain(target(tableName)))
  // One event returns in another block, other events are removed, and new events come.
  await chain.reorganise(2, [[mint(0, 3), mint(1, 4)], [mint(0, 5)]])
  const records = eventSetOf({ blocks: 2, events: 2 }, 7).filter(({ network }) => network === NETWORK)
  const received = records.map(record => ('to' in record ? { ...record, to: bob() } : record))
  oldEvents = await writeText('old.ndjson', ndjson(received.map(rawLogOf)))
})
afterAll(() => chain.stop())

const target = (tableName: string, endpoint = engine.endpoint) =>
  ({ endpoint, tableName, network: NETWORK, rpcUrls: [chain.rpcUrl] }) as const

/** The user of most mints. Of these mints, one returns in another block, one does not return, and one is new. */
const bob = () => chain.users[1] as Address

const MINTED_FOR_EVE = [1, 5]

function mint(contract: number, id: number): Call {
  const [ada, , eve] = chain.users as [Address, Address, Address]
  const to = MINTED_FOR_EVE.includes(id) ? eve : bob()
  return { by: ada, contract, functionName: 'mint', args: [to, BigInt(id), 1n, ''] }
}

async function tableAfter(write: (tableName: string) => Promise<unknown>): Promise<Item[]> {
  const tableName = await engine.createEventsTable()
  await write(tableName)
  const items: Item[] = []
  const client = DynamoDBDocumentClient.from(engine.client)
  for await (const { Items } of paginateScan({ client }, { TableName: tableName }))
    items.push(...(Items ?? []))
  return items
}

async function tableWith(items: readonly Item[]): Promise<string> {
  const tableName = await engine.createEventsTable()
  const client = DynamoDBDocumentClient.from(engine.client)
  for (const batch of cutBatches(items, MAX_BATCH_ITEMS)) {
    const puts = batch.map(Item => ({ PutRequest: { Item } }))
    await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: puts } }))
  }
  return tableName
}

/** The events that a reader requests. */
interface Scope {
  query: () => Record<string, string>
  isAskedFor: (record: EventRecord) => boolean
  /** Whether a reader finds every stored event, even if the writer was killed before the event's last item. */
  isFoundAfterDeath?: boolean
}

const SCOPES: Record<string, Scope> = {
  'all events': { query: () => ({}), isAskedFor: () => true, isFoundAfterDeath: true },
  'the events of a user': {
    query: () => ({ user: bob() }),
    isAskedFor: record => hasUser(record, bob()),
  },
}

interface Happening {
  items: () => readonly Item[]
  /** Runs the writer. `endpoint` is the URL of a proxy. If the first call crashes, a second call resumes the work. */
  write: (tableName: string, options: { endpoint: string; abort?: AbortSignal }) => Promise<unknown>
  /** Whether every stored event is served, even if no writer resumes after a crash. */
  isToldAfterDeath?: boolean
}

const HAPPENINGS: Record<string, Happening> = {
  'a reorganisation': {
    items: () => before.all,
    write: (tableName, { endpoint, abort }) =>
      indexChain({ ...target(tableName, endpoint), ...(abort && { abort }) }),
  },
  'a contract and an earlier start': {
    items: () => before.narrow,
    write: (tableName, { endpoint, abort }) =>
      indexChain({ ...target(tableName, endpoint), fromBlock: 0, restart: true, ...(abort && { abort }) }),
  },
  'a load of older events': {
    items: () => before.all,
    isToldAfterDeath: true,
    async write(tableName, { endpoint, abort }) {
      const client = localClient(endpoint)
      const writing = { client, tableName, files: [oldEvents], batchesInFlight: 2 }
      await loadFiles({ ...writing, ...(abort && { signal: abort }) }).finally(() => client.destroy())
    },
  },
}

type Case = Happening & Scope

const CASES = Object.entries(HAPPENINGS).flatMap(([what, happening]) =>
  Object.entries(SCOPES).map(([whose, scope]): [string, string, Case] => [
    what,
    whose,
    { ...happening, ...scope },
  ]),
)

/** Creates a table, a reader that is up to date, a new reader, and a writer that can be paused at each write. */
async function setup({ items, write, query: queryOf, isAskedFor }: Case) {
  const tableName = await tableWith(items())
  const table = { client: engine.reader, tableName }
  let lateMs = 0
  let behindReading = async () => undefined as unknown
  const handler = changesFunction(table, {
    now: () => Date.now() + lateMs,
    behindReading: async () => void (await behindReading()),
  })
  const query = { ...queryOf(), limit: 500 }
  const informed = createSimpleReader(handler, { query })
  await informed.catchUp()
  return {
    informed,
    newcomer: createSimpleReader(handler, { query }),
    interruptReadings: (interrupt: () => Promise<unknown>) => {
      behindReading = interrupt
    },
    letLoadsDie: () => {
      lateMs += DEAD_AFTER_MS
    },
    async writeWith(
      atWrite: (index: number, send: () => Promise<unknown>) => Promise<'reset' | 'sent'>,
      abort?: AbortSignal,
    ) {
      let writes = 0
      const proxy: FaultProxy = await startFaultProxy(engine.endpoint, async (request, forward) => {
        if (!isWrite(request)) return abort?.aborted ? 'reset' : forward()
        let answer: Awaited<ReturnType<typeof forward>> | undefined
        const became = await atWrite(writes++, async () => {
          answer = await forward()
        })
        return became === 'sent' && answer ? answer : 'reset'
      })
      await write(tableName, { endpoint: proxy.url, ...(abort && { abort }) })
        .catch(error => {
          if (!abort?.aborted) throw error
        })
        .finally(() => proxy.stop())
      return writes
    },
    /** The stored events that the readers request. */
    stored: async () => (await storedEvents(table)).filter(isAskedFor),
  }
}

type Setup = Awaited<ReturnType<typeof setup>>

/**
 * Runs the writer. Before every n-th write, clones of both readers read until they are up to date. Returns both readers
 * and all clones.
 */
async function writeAmongReaders({ writeWith, informed, newcomer }: Setup): Promise<SimpleReader[]> {
  const readers: SimpleReader[] = [informed, newcomer]
  await writeWith(async (index, send) => {
    if (index % READERS_EVERY === 0) {
      for (const reader of [informed.clone(), newcomer.clone()]) {
        await reader.catchUp()
        readers.push(reader)
      }
    }
    await send()
    return 'sent'
  })
  return readers
}

async function expectEqual(readers: readonly SimpleReader[], { stored, letLoadsDie }: Setup) {
  const truth = await stored()
  for (const reader of readers) await reader.catchUp()
  letLoadsDie()
  for (const reader of readers) {
    await reader.catchUp()
    expect(reader.records()).toEqual(truth)
  }
}

async function countWrites(happening: Case): Promise<number> {
  const { writeWith } = await setup(happening)
  return writeWith(async (_, send) => {
    await send()
    return 'sent'
  })
}

const someOf = (writes: number) => {
  const step = Math.max(1, Math.ceil(writes / MOST_WRITES))
  return Array.from({ length: Math.ceil(writes / step) }, (_, index) => index * step)
}

describe.each(CASES)('during %s, with readers of %s', (_, __, happening) => {
  test('a reader may come at any moment', async () => {
    const table = await setup(happening)
    const readers = await writeAmongReaders(table)

    expect(readers.length).toBeGreaterThan(5)
    await expectEqual(readers, table)
  })

  test('a turn may be overtaken by any number of writes, between any two of its readings', async () => {
    const writes = await countWrites(happening)
    for (const stopAt of [...someOf(writes), writes]) {
      for (const reading of [1, 2, 3]) {
        const table = await setup(happening)
        const { informed, newcomer, writeWith, interruptReadings } = table
        const reached = Promise.withResolvers<void>()
        const goOn = Promise.withResolvers<void>()
        let readings = 0
        let written: Promise<unknown> | undefined
        interruptReadings(async () => {
          readings += 1
          if (readings !== reading) return
          written = writeWith(async (index, send) => {
            if (index === stopAt) {
              reached.resolve()
              await goOn.promise
            }
            await send()
            return 'sent'
          }).finally(reached.resolve)
          await reached.promise
        })
        // The writer waits before the write `stopAt`. Each reader requests one page, which may contain none or all of
        // the changes that are visible so far.
        for (const reader of [informed, newcomer]) await reader.takeTurn()
        goOn.resolve()
        await written
        await expectEqual([informed, newcomer], table)
      }
    }
  })

  test('the writer may die at any write, and a reader come before and behind', async () => {
    const writes = await countWrites(happening)
    for (const atWrite of someOf(writes)) {
      const table = await setup(happening)
      const killed = new AbortController()
      const early = table.newcomer.clone()
      await table.writeWith(async (index, send) => {
        if (index > atWrite) return 'reset'
        if (index < atWrite || atWrite % 2 === 0) await send()
        if (index < atWrite) return 'sent'
        killed.abort(new Error('Killed'))
        return 'reset'
      }, killed.signal)
      await early.catchUp()
      const late = early.clone()
      table.letLoadsDie()
      await late.catchUp()
      if (happening.isToldAfterDeath && happening.isFoundAfterDeath)
        expect(late.records()).toEqual(await table.stored())

      const readers = await writeAmongReaders(table)
      await expectEqual([...readers, early, late], table)
    }
  })
})

test('a run that is stopped before it has removed what left the chain does not leave its network at rest', async () => {
  const tableName = await tableWith(before.all)
  const table = { client: engine.reader, tableName }
  const reader = createSimpleReader(changesFunction(table))
  await reader.catchUp()
  const stop = new AbortController()
  const proxy = await startFaultProxy(engine.endpoint, (request, forward) => {
    // This write moves the checkpoint back.
    if (isWrite(request) && request.body.toString().includes(':blockNumber')) stop.abort(new Error('Stopped'))
    return forward()
  })
  await indexChain({ ...target(tableName, proxy.url), signal: stop.signal }).finally(() => proxy.stop())

  const { checkpoint } = await readIndexedTable(engine.client, tableName, NETWORK)
  expect(checkpoint).toMatchObject({ leased: false, atRest: false })
  const newcomer = createSimpleReader(changesFunction(table))
  for (const each of [reader, newcomer]) await each.catchUp()
  await indexChain(target(tableName))
  for (const each of [reader, newcomer]) {
    await each.catchUp()
    expect(each.records()).toEqual(await storedEvents(table))
  }
  expect((await readIndexedTable(engine.client, tableName, NETWORK)).checkpoint).toMatchObject({
    atRest: true,
  })
})

test('a run that fails before it stores anything leaves its network as it was, at rest', async () => {
  const tableName = await tableWith(before.all)
  await indexChain(target(tableName))
  const other = indexChain({ ...target(tableName), contracts: chain.contracts.slice(0, 1) })

  await expect(other).rejects.toThrow(expect.objectContaining({ name: 'ScopeChangedError' }))
  expect((await readIndexedTable(engine.client, tableName, NETWORK)).checkpoint).toMatchObject({
    leased: false,
    atRest: true,
  })
})
