import { setTimeout as delay } from 'node:timers/promises'
import { zeroAddress } from 'viem'
import type { ChangesQuery } from '../../../lib/client/create-events-client.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { loadFiles } from '../../../lib/ingest/load/load-files.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { liveFrom } from '../../support/chain/chain-life.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { createCarelessReader } from '../../support/changes/careless-reader.ts'
import { byId, storedEvents } from '../../support/changes/stored-events.ts'
import type { ProxiedRequest } from '../../support/faults/fault-proxy.ts'
import { isWrite } from '../../support/faults/faults.ts'
import { endOf, killBy, startTableProxy } from '../../support/faults/index-faults.ts'
import { indexUnderFaults } from '../../support/faults/index-under-faults.ts'
import { liftTimeLimits } from '../../support/faults/time-limits.ts'
import { listenForChanges } from '../../support/http/listen.ts'
import { hasUser } from '../../support/oracle/oracle.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { createRandom, type Random } from '../../support/records/random.ts'
import { ndjson, rawLogOf } from '../../support/records/raw-log-of.ts'
import { INDEX_RUN_COUNT, IS_LONG_RUN, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'
import { LOCAL_ACCESS, localClient } from '../../support/store/local-client.ts'

knowNodeErrors()
const engine = useEngine()
const writeText = useTextFiles()
const INDEXED = 'polygon'
/** After this time without an announcement, the service regards a load as dead. */
const DEAD_AFTER_MS = 151_000

/**
 * Each life of a chain has its own node. So the seed alone determines the life, and no chain gets so long that its node
 * loses old states.
 */
let chain: TestChain
beforeEach(async () => {
  chain = await startChain()
})
afterEach(() => chain.stop())

/** How often each fault and each change has happened in all lives. */
const tally: Record<string, number> = {}
const count = (what: string, times = 1) => {
  tally[what] = (tally[what] ?? 0) + times
}
const onReorganised = () => count('reorganisations')
afterAll(() => {
  if (IS_LONG_RUN) process.stdout.write(`${JSON.stringify({ lives: INDEX_RUN_COUNT, ...tally }, null, 2)}\n`)
})

const seeds = Array.from({ length: INDEX_RUN_COUNT }, (_, index) => SEED + index)

test.each(seeds)(
  'copies end as the table and the chain, whatever fails, is killed, added late or forgotten (seed %i)',
  async seed => {
    const life = await beginLife(seed)
    const { random } = life
    for (let round = 0; round < 4 + random.below(3); round++) {
      const writers = [life.index(), ...(random.chance(0.6) ? [life.load()] : [])]
      await during(Promise.all(writers), life.readNow)
      if (random.chance(0.3)) life.letLoadsDie()
    }
    const isWhole = await life.finish()

    const stored = await storedEvents({ client: engine.client, tableName: life.tableName })
    for (const { reader, isAskedFor } of isWhole ? life.scopes : life.scopes.slice(0, 1)) {
      await reader.catchUp()
      life.passTime()
      await reader.catchUp()
      expect(await reader.records()).toEqual(stored.filter(isAskedFor))
    }
    const ofChain = stored.filter(({ network, id }) => network === INDEXED && !life.loaded.has(id))
    expect(ofChain).toEqual(byId(await chainEvents(chain, INDEXED, { fromBlock: life.firstBlock })))
    await life.end()
  },
)

async function beginLife(seed: number) {
  const random = createRandom(seed)
  const tableName = await engine.createEventsTable()
  const firstBlock = (await chain.head()) + 1
  await chain.mineEmpty(1)
  const life = liveFrom(chain, { random, firstBlock })
  let lateMs = 0
  let jumps = 0
  const tableOfReaders = await startTableProxy(engine.endpoint, {
    random,
    rate: random.pick([0, 0.1]),
    before: async () => {
      if (random.chance(0.2)) await delay(random.below(10))
    },
  })
  const client = liftTimeLimits(createClient({ ...LOCAL_ACCESS, endpoint: tableOfReaders.url }))
  const service = await listenForChanges({ client, tableName }, { now: () => Date.now() + lateMs })
  const scopes = scopesOf(random).map(({ query, isAskedFor }) => ({
    reader: createCarelessReader({ baseUrl: service.baseUrl, query, random }),
    isAskedFor,
  }))
  const readers = scopes.map(({ reader }) => reader)
  const readNow = () => Promise.all(readers.map(reader => reader.takeTurn()))
  /**
   * Before a write, each reader may request one page. Reads of the table are sometimes delayed, so that writes come
   * between two reads of a request.
   */
  const comesBetween = async (request: ProxiedRequest) => {
    if (isWrite(request) && random.chance(0.3)) await readNow()
  }
  const loads = loadsOf(seed, random)
  const died: EventRecord[][] = []
  /** In half of the lives, the scope of indexing is later extended by a contract and an earlier start. */
  const narrow = random.chance(0.5)
  const wanted = narrow
    ? { contracts: chain.contracts.slice(0, 1), fromBlock: firstBlock + 1, restart: false }
    : { contracts: 'any' as const, fromBlock: firstBlock, restart: false }
  let indexed: { contracts: 'any' | string[]; fromBlock: number; restart: boolean } = wanted

  const indexedIds = async () =>
    (await storedEvents({ client: engine.client, tableName }))
      .filter(({ network }) => network === INDEXED)
      .map(({ id }) => id)
  const ofTable = { endpoint: engine.endpoint, tableName, network: INDEXED, onReorganised } as const

  return {
    random,
    tableName,
    firstBlock,
    scopes,
    readNow,
    loaded: new Set(loads.flat().map(({ id }) => id)),
    async index() {
      // A reorganisation comes first, so that it removes indexed events.
      if (random.chance(0.6)) await life.reorganise()
      for (let step = random.below(4); step > 0; step--) await life.goOn()
      if (indexed.contracts !== 'any' && random.chance(0.4)) {
        indexed = { contracts: 'any', fromBlock: firstBlock, restart: true }
        count('a contract and an earlier start added')
      }
      const meanwhile = () => (random.chance(0.4) ? life.reorganise() : life.goOn())
      const before = await indexedIds()
      const end = await indexUnderFaults({
        random,
        chain,
        // Without `follow`, the run ends at the head. With `follow`, the run continues at the head until it is stopped.
        target: { ...ofTable, ...indexed, follow: random.chance(0.5) },
        meanwhile,
        before: comesBetween,
      })
      const after = new Set(await indexedIds())
      count('events removed', before.filter(id => !after.has(id)).length)
      count(`indexer: ${end}`)
      if (end === 'done' || end === 'Stopped') indexed = { ...indexed, restart: false }
      // A killed run may or may not have changed the scope of indexing.
      if (end === 'ScopeChangedError') indexed = { ...indexed, restart: true }
    },
    async load() {
      const records = loads.pop()
      if (!records) return
      const end = await loadUnderFaults(records, { random, tableName, comesBetween })
      if (end !== 'done') died.push(records)
      count(`load: ${end}`)
    },
    letLoadsDie() {
      // At most three jumps in time, because a real service's clock is never wrong by more than some minutes.
      if (jumps++ < 3) lateMs += DEAD_AFTER_MS
    },
    passTime() {
      lateMs += DEAD_AFTER_MS
    },
    /**
     * Ends all writing. Resolves with whether every event is in all its lists. If not, a killed load may have left
     * events without some of their items.
     */
    async finish(): Promise<boolean> {
      await life.goOn()
      const target = { ...ofTable, contracts: 'any', fromBlock: firstBlock, rpcUrls: [chain.rpcUrl] } as const
      await indexChain(target).catch(error => {
        if (error.name !== 'ScopeChangedError') throw error
        return indexChain({ ...target, restart: true })
      })
      if (died.length > 0 && random.chance(0.5)) return false
      for (const records of died) await loadFrom(records, { tableName, endpoint: engine.endpoint })
      return true
    },
    async end() {
      for (const { mishaps } of readers)
        for (const [what, times] of Object.entries(mishaps)) count(`reader: ${what}`, times)
      for (const reader of readers) await reader.close()
      client.destroy()
      await Promise.all([service.stop(), tableOfReaders.stop()])
    },
  }
}

/** Repeats `read` until `writing` has ended. */
async function during(writing: Promise<unknown>, read: () => Promise<unknown>) {
  let isWriting = true
  const written = writing.finally(() => {
    isWriting = false
  })
  // `written` is awaited below. Until then a rejection must not end the process.
  written.catch(() => undefined)
  while (isWriting) {
    await read()
    await delay(1)
  }
  await written
}

interface Scope {
  query: ChangesQuery
  isAskedFor: (record: EventRecord) => boolean
}

function scopesOf(random: Random): Scope[] {
  const events = random.pick([
    ['Minted'],
    ['TransferSingle', 'TransferBatch'],
    ['MintedBatch', 'TransferSingle', 'OwnershipTransferred'],
  ] as const)
  const address = [...chain.contracts]
  // The zero address takes part in mints of the chain and in loaded events.
  const user = random.pick([...chain.users, zeroAddress])
  const isOfUser = (record: EventRecord) => hasUser(record, user)
  return [
    { query: {}, isAskedFor: () => true },
    random.pick<Scope>([
      { query: { user }, isAskedFor: isOfUser },
      {
        query: { user, event: events, network: INDEXED },
        isAskedFor: record =>
          isOfUser(record) && record.network === INDEXED && events.some(each => each === record.event),
      },
      {
        query: { user, address },
        isAskedFor: record => isOfUser(record) && address.some(each => each === record.address),
      },
      {
        query: { user, address: address.slice(1), event: events },
        isAskedFor: record =>
          isOfUser(record) && record.address === address[1] && events.some(each => each === record.event),
      },
    ]),
    random.pick<Scope>([
      { query: { event: events }, isAskedFor: ({ event }) => events.some(each => each === event) },
      { query: { network: INDEXED }, isAskedFor: ({ network }) => network === INDEXED },
      { query: { address }, isAskedFor: record => address.some(each => each === record.address) },
      {
        query: { address: address.slice(1), event: events, network: ['base', INDEXED] },
        isAskedFor: ({ address: token, event, network }) =>
          token === address[1] && events.some(each => each === event) && ['base', INDEXED].includes(network),
      },
    ]),
  ]
}

const LONG_AGO_TO_FAR_AHEAD_MS = 20 * 365 * 86_400_000

/**
 * The events of three loads, on several networks. On the indexed network, the loaded blocks are older than the test
 * chain's blocks, or much higher.
 */
function loadsOf(seed: number, random: Random): EventRecord[][] {
  const records = eventSetOf({ blocks: 6, events: 3 }, seed)
  const parts = Array.from({ length: 3 }, (_, part) => records.filter((__, index) => index % 3 === part))
  const [first = [], ...others] = parts
  return [random.chance(0.3) ? first.map(farAhead) : first, ...others]
}

const farAhead = (record: EventRecord): EventRecord => ({
  ...record,
  blockNumber: record.blockNumber + 1_000_000_000,
  createdAt: new Date(Date.parse(record.createdAt) + LONG_AGO_TO_FAR_AHEAD_MS).toISOString(),
})

interface LoadAttempt {
  random: Random
  tableName: string
  comesBetween: (request: ProxiedRequest) => Promise<unknown>
}

async function loadUnderFaults(
  records: readonly EventRecord[],
  { random, tableName, comesBetween: before }: LoadAttempt,
): Promise<string> {
  const killed = new AbortController()
  const rate = random.pick([0, 0.03])
  const table = await startTableProxy(engine.endpoint, { random, rate, kill: killBy(random, killed), before })
  const from = { tableName, endpoint: table.url, signal: killed.signal }
  const end = await loadFrom(records, from).then(() => 'done', endOf)
  await table.stop()
  return end
}

async function loadFrom(
  records: readonly EventRecord[],
  { tableName, endpoint, signal }: { tableName: string; endpoint: string; signal?: AbortSignal },
) {
  const client = localClient(endpoint)
  const file = await writeText(
    `${tableName}-${records[0]?.id.slice(-12)}.ndjson`,
    ndjson(records.map(rawLogOf)),
  )
  await loadFiles({ client, tableName, files: [file], ...(signal && { signal }) }).finally(() =>
    client.destroy(),
  )
}
