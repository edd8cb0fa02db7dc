import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { NETWORKS, type Network, readNetworks } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { removalOf } from '../../../lib/events/revision.ts'
import { answerChanges } from '../../../lib/feed/answer-changes.ts'
import { createDynamoChangeStore } from '../../../lib/feed/dynamo-change-store.ts'
import { parseChanges } from '../../../lib/feed/parse-changes.ts'
import { createFreshness } from '../../../lib/http/freshness.ts'
import { loadFiles, type Reject } from '../../../lib/ingest/load/load-files.ts'
import { writeImport } from '../../../lib/ingest/load/write-import.ts'
import { describePlan } from '../../../lib/inspect/describe-plan.ts'
import { itemWriteUnits } from '../../../lib/inspect/item-cost.ts'
import { showItems } from '../../../lib/inspect/show-items.ts'
import { checkTableToWrite } from '../../../lib/kit/check-table.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { OtherNetworksError } from '../../../lib/query/errors.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import { itemsFor } from '../../../lib/store/format/event-items.ts'
import { INDEXES } from '../../../lib/store/format/keys.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'
import { appendRevision } from '../../../lib/store/writing/append-revision.ts'
import { putItems } from '../../../lib/store/writing/put-items.ts'
import { readForm, recordForm } from '../../../lib/store/writing/record-form.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { ask, directPayload } from '../../support/http/ask.ts'
import { lambdaContext } from '../../support/http/http-events.ts'
import { queryFunctions } from '../../support/http/query-functions.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { queryInputOf } from '../../support/query/query-input-of.ts'
import { resumedAt, walkAnswers } from '../../support/query/walk-answers.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { ndjson, rawLogOf } from '../../support/records/raw-log-of.ts'
import { type ApiRequest, queryOf, tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { mostFrequent, shapesOf } from '../../support/requests/plan-shapes.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useEngine } from '../../support/store/engine.ts'
import { checkpointItem } from '../../support/store/lagging-networks.ts'
import { problemsIn } from '../../support/store/problems-in.ts'
import { storedItems } from '../../support/store/stored-items.ts'

const engine = useEngine()
const writeText = useTextFiles()
const folder = useFolder()
const ONLY: Network = 'base'
const EVERYWHERE = eventSetOf({ blocks: 20, events: 6, crowd: 60 }, 8)
const RECORDS = EVERYWHERE.filter(({ network }) => network === ONLY)
const IDS = RECORDS.map(({ id }) => id).toSorted()
const USER = mostFrequent(RECORDS.flatMap(record => ('from' in record ? [record.from] : [])))
const LAST_BLOCK = Math.max(...RECORDS.map(({ blockNumber }) => blockNumber))

async function tableOf(networks?: readonly Network[]) {
  const { client } = engine
  const table = { client, tableName: await engine.createEventsTable(), networks }
  await recordForm(table)
  await writeEvents(table, RECORDS)
  const checkpoint = checkpointItem(ONLY, {
    ...{ blockNumber: LAST_BLOCK, blockHash: `0x${'5e'.repeat(32)}`, timestamp: 1_700_000_000 },
    ...{ network: ONLY, fence: 1, renewals: 1, owner: 'an indexer', leased: false, leaseMs: 30_000 },
    ...{ scope: { fromBlock: 0, contracts: 'any' }, atRest: true },
  })
  await putItems([checkpoint], { ...table, client: engine.documents })
  return { ...table, store: createDynamoEventStore({ ...table, client: engine.reader }) }
}

let single: Awaited<ReturnType<typeof tableOf>>
let whole: Awaited<ReturnType<typeof tableOf>>
beforeAll(async () => {
  single = await tableOf([ONLY])
  whole = await tableOf()
})

const answerOf = (request: ApiRequest, store: EventStore) => answerQuery(queryInputOf(request), { store })

const unitsIn = (networks: readonly Network[]) =>
  RECORDS.flatMap(record => itemsFor(networks)(record).entries)
    .map(itemWriteUnits)
    .reduce((sum, units) => sum + units, 0)

const namingNetwork = (request: ApiRequest): ApiRequest => ({
  ...request,
  query: [...request.query.filter(([name]) => name !== 'network'), ['network', ONLY]],
})

describe('a table of one network', () => {
  test('keeps no entry of the indexes by user and by token, and costs less to write', async () => {
    const items = await storedItems(single.client, single.tableName)

    for (const { key } of [INDEXES.user, INDEXES.token]) expect(items.filter(item => key in item)).toEqual([])
    for (const { key } of [INDEXES.transaction, INDEXES.block]) {
      expect(items.filter(item => key in item)).toHaveLength(RECORDS.length)
    }
    expect(unitsIn([ONLY])).toBeLessThan(0.65 * unitsIn(NETWORKS))
  })

  test('answers each kind of plan as a table of all networks does, at no higher cost, and takes turns with it page by page', async () => {
    let turns = 0
    for (const [name, request] of shapesOf(RECORDS)) {
      const expected = await answerOf(namingNetwork(request), whole.store)
      const found = await answerOf(request, single.store)
      const { calls, roundTrips, readUnits } = expected.cost

      expect({ name, records: found.records }).toEqual({ name, records: expected.records })
      expect({ name, plan: describePlan(found.plan) }).toEqual({ name, plan: describePlan(expected.plan) })
      expect({ name, ...found.cost }).toMatchObject({ name, calls, roundTrips })
      expect(found.cost.readUnits).toBeLessThanOrEqual(readUnits)

      const stores = [whole.store, single.store]
      const limited = (limit: string): ApiRequest => ({
        ...request,
        query: [...request.query, ['limit', limit]],
      })
      const pages = await walkAnswers(limited('3'), () => ({ store: stores.reverse()[0] as EventStore }))
      turns += pages.length - 1
      const { records } = await answerOf(limited('500'), single.store)
      expect({ name, walked: pages.flatMap(page => page.records) }).toEqual({ name, walked: records })
    }
    expect(turns).toBeGreaterThan(100)
  })

  test('continues by block number from a page of a table of all networks that ends with an event of another network', async () => {
    const transactionHash = `0x${'7a'.repeat(32)}`
    const records = [
      { network: 'polygon', blockNumber: 400, createdAt: '2023-06-02T00:00:02.000Z' } as const,
      { network: 'arbitrum', blockNumber: 300, createdAt: '2023-06-02T00:00:05.000Z' } as const,
      { network: ONLY, blockNumber: 200, createdAt: '2023-06-02T00:00:09.000Z' },
    ].map(fields => makeEvent('TransferSingle', { ...fields, transactionHash }))
    const isOnly = ({ network }: EventRecord) => network === ONLY
    const storeWith = async (events: EventRecord[], networks?: readonly Network[]) => {
      const table = { client: engine.client, tableName: await engine.createEventsTable(), networks }
      await writeEvents(table, events)
      return createDynamoEventStore({ ...table, client: engine.reader })
    }
    const [ofAll, ofOnly] = [await storeWith(records), await storeWith(records.filter(isOnly), [ONLY])]

    for (const direction of ['asc', 'desc']) {
      const query = `transactionHash=${transactionHash}&blockNumber=${direction}&limit=1`
      const request = tokenEvents(queryOf(query))
      const pages = await walkAnswers(request, () => ({ store: ofAll }))
      for (const [index, { next = '' }] of pages.slice(0, -1).entries()) {
        const rest = await walkAnswers(resumedAt(request, next), () => ({ store: ofOnly }))
        const expected = pages.slice(index + 1).flatMap(page => page.records)

        expect(rest.flatMap(page => page.records)).toEqual(expected.filter(isOnly))
      }
    }
  })

  test('reads nothing for another network', async () => {
    const query = queryOf('network=polygon&count=true')
    for (const request of [tokenEvents(query), userEvents(USER, query)]) {
      const { records, plan, cost, total } = await answerOf(request, single.store)

      expect([records, plan.read, cost.calls, total?.count]).toEqual([[], 'nothing', 0, 0])
    }
  })

  test('is read consistently up to a minBlock, without naming the network', async () => {
    const upTo = `minBlock=${ONLY}:${LAST_BLOCK}`
    const { records, plan } = await answerOf(userEvents(USER, upTo), single.store)

    expect(records.length).toBeGreaterThan(0)
    expect(plan).toMatchObject({ read: 'lists', network: ONLY, isConsistent: true })
  })

  test('has a feed of changes with all events, which reads no other network', async () => {
    const read = ({ store, ...table }: typeof single, query: string) => {
      const asked = parseChanges({ parameters: queryOf(`from=beginning&${query}`), networks: table.networks })
      return answerChanges(asked, { store, changeStore: createDynamoChangeStore(table) })
    }
    const { changes, isPartial, cost } = await read(single, 'limit=1000')
    const ofAll = await read(whole, 'limit=1000')

    expect(isPartial).toBe(false)
    expect(changes.map(({ record }) => record.id).toSorted()).toEqual(IDS)
    expect(cost.calls).toBe(ofAll.cost.calls - (NETWORKS.length - 1))
    expect(await read(single, 'network=polygon')).toMatchObject({ changes: [] })
  })

  test('is verified in its form, and shows a list without the name of the network', async () => {
    const list = { of: 'user', address: USER } as const
    const shown = await showItems(single, { list, network: undefined, place: '', limit: 5 })

    expect(await problemsIn(single)).toEqual([])
    expect(await problemsIn({ ...single, networks: undefined })).not.toEqual([])
    expect(shown).toHaveLength(5)
  })

  test('is loaded with the logs of its network, and the others are left out with the reason', async () => {
    const table = { ...single, tableName: await engine.createEventsTable() }
    await recordForm(table)
    const rejects: Reject[] = []
    const summary = await loadFiles({
      ...table,
      files: [await writeText('logs.ndjson', ndjson(EVERYWHERE.map(rawLogOf)))],
      onReject: reject => rejects.push(reject),
    })

    expect(summary.loaded).toBe(RECORDS.length)
    expect(new Set(rejects.map(({ code }) => code))).toEqual(new Set(['other-network']))
    expect(rejects[0]?.reason).toMatch(/^its network is .+, but the table stores only base$/)
    expect(await problemsIn(table)).toEqual([])
  })

  test('is written for an import with its form, and without the entries', async () => {
    async function* records() {
      yield* RECORDS
    }
    await writeImport({ folder, networks: [ONLY] }, records())
    const names = (await readdir(folder)).filter(name => name.endsWith('.gz'))
    const lines = await Promise.all(
      names.map(async name => gunzipSync(await readFile(path.join(folder, name))).toString()),
    )
    const items = lines.flatMap(text => text.trim().split('\n')).map(line => JSON.parse(line).Item)
    const stored = RECORDS.flatMap(record => {
      const { chunks, entries } = itemsFor([ONLY])(record)
      return [...chunks, ...entries]
    })

    expect(items.filter(({ p }) => p.S === 'form')).toEqual([
      { l: { S: 'checkpoints' }, p: { S: 'form' }, networks: { S: ONLY } },
    ])
    expect(items).toHaveLength(stored.length + 1)
    expect(items.filter(item => INDEXES.user.key in item || INDEXES.token.key in item)).toEqual([])
  })

  test('takes no event of another network', async () => {
    const other = EVERYWHERE.filter(({ network }) => network === 'polygon').slice(0, 1)

    const refusal = /The table stores only base, but .+ is an event of polygon/
    await expect(writeEvents(single, other)).rejects.toThrow(refusal)
    const { tableName, networks } = single
    const indexing = indexChain({ endpoint: '', tableName, networks, network: 'polygon', rpcUrls: [] })
    await expect(indexing).rejects.toThrow('The table stores only base: use another table for polygon')
  })
})

describe('what is configured for other networks than the table has recorded', () => {
  const mismatch = (stored: string, configured: string) =>
    `are ${stored}, but the configuration specifies ${configured}. Set networks`
  const [IS_OF_BASE, IS_OF_ALL] = [mismatch('base', 'all'), mismatch('all', 'base')]

  test('does not write', async () => {
    await expect(recordForm({ ...single, networks: undefined })).rejects.toThrow(IS_OF_BASE)
    await expect(recordForm({ ...single, networks: ['polygon'] })).rejects.toThrow('specifies polygon')
    await expect(recordForm({ ...whole, networks: [ONLY] })).rejects.toThrow(IS_OF_ALL)
    await expect(recordForm(single)).resolves.toEqual([ONLY])
    await expect(recordForm(whole)).resolves.toBeUndefined()
  })

  test.each([
    ['all networks', undefined, () => single, IS_OF_BASE],
    ['one network', [ONLY], () => whole, IS_OF_ALL],
  ])('does not answer: a function for %s', async (_, networks, table, message) => {
    const misread = { ...table(), networks }
    const functions = () => {
      const freshness = createFreshness(createCheckpointReader(misread), { maxWaitMs: 600_000 })
      freshness.prefetch()
      return queryFunctions({ store: createDynamoEventStore(misread), freshness })['user-events']
    }
    const request = userEvents(USER)

    expect((await ask(functions(), request, 'http-api')).status).toBe(500)
    await expect(functions()(directPayload(request), lambdaContext())).rejects.toThrow(message)
    await expect(createDynamoChangeStore(misread).readFrontiers()).rejects.toThrow(message)
  })

  test('a table of several networks keeps the indexes, and is read as a table of all networks is', async () => {
    const several = await tableOf([ONLY, 'polygon'])
    const items = await storedItems(several.client, several.tableName)
    const { plan } = await answerOf(userEvents(USER), several.store)
    const byBlock = await answerOf(userEvents(USER, [['blockNumber', 'desc']]), several.store)

    expect(items.some(item => INDEXES.user.key in item)).toBe(true)
    expect(plan).toEqual((await answerOf(userEvents(USER), whole.store)).plan)
    expect(byBlock.plan).toMatchObject({ parts: [{ network: ONLY }, { network: 'polygon' }] })
  })
})

describe('the networks of a table', () => {
  const emptyTable = async () => ({ client: engine.client, tableName: await engine.createEventsTable() })

  test('that is empty are those of one of several writers that begin together', async () => {
    for (let round = 0; round < 5; round++) {
      const table = await emptyTable()
      const asked = [undefined, [ONLY], ['polygon' as const]]
      const begun = await Promise.allSettled(asked.map(networks => recordForm({ ...table, networks })))

      expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  test.each([
    ['of an empty table stay the named ones, where all that there are now are named', 0],
    ['are recorded by name in a table of an earlier version, too', 3],
  ])('%s', async (_, stored) => {
    const table = await emptyTable()
    await writeEvents(table, RECORDS.slice(0, stored))
    if (stored > 0) await recordForm(table)
    expect(await readForm(table)).toBeUndefined()
    await recordForm({ ...table, networks: readNetworks(NETWORKS.join(', ')) })

    expect((await readForm(table))?.networks).toEqual({ S: NETWORKS.join(',') })
    await expect(recordForm(table)).resolves.toEqual(NETWORKS)
    await expect(recordForm({ ...table, networks: [ONLY] })).rejects.toThrow(OtherNetworksError)
  })

  test('that is empty are all by default, and then a function or an indexer of one network accepts the table', async () => {
    const { client, tableName } = await emptyTable()
    const networks = await checkTableToWrite(client, tableName)
    await writeEvents({ client, tableName, networks }, EVERYWHERE)
    const ofOne = { client: engine.reader, tableName, networks: [ONLY] }
    const freshness = createFreshness(createCheckpointReader(ofOne))
    const { 'user-events': answer } = queryFunctions({ store: createDynamoEventStore(ofOne), freshness })
    const page = await ask(answer, userEvents(USER, [['limit', '500']]), 'http-api')
    const ofSeveral = { ...ofOne, networks: [ONLY, 'polygon' as const] }

    expect(page.status).toBe(200)
    expect(new Set((page.body as EventRecord[]).map(({ network }) => network))).toEqual(new Set([ONLY]))
    expect(networks).toBeUndefined()
    // A writer for one network accepts this table, and writes items in the same form as a writer for all networks.
    await expect(checkTableToWrite(client, tableName, { networks: { of: [ONLY] } })).resolves.toBeUndefined()
    await expect(createCheckpointReader(ofSeveral)()).rejects.toThrow(OtherNetworksError)
    const checked = checkTableToWrite(client, tableName, { networks: { of: undefined } })
    await expect(checked).resolves.toBeUndefined()
  })

  test('can be changed and changed back, and the feed then reports every removal to a reader of all networks', async () => {
    const { client, tableName } = await emptyTable()
    const [removed] = EVERYWHERE.filter(({ network }) => network !== ONLY)
    const read = (networks: Network[] | undefined, cursor?: string) => {
      const table = { client: engine.reader, tableName, networks }
      const parameters = queryOf(cursor === undefined ? 'from=now' : `cursor=${cursor}`)
      const stores = { store: createDynamoEventStore(table), changeStore: createDynamoChangeStore(table) }
      return answerChanges(parseChanges({ parameters, networks }), stores)
    }
    const before = await read(undefined)
    await appendRevision({ places: {}, removed: removed ? [removalOf(removed)] : [] }, { client, tableName })
    const ofOne = await read([ONLY], before.next)
    const after = await read(undefined, ofOne.next)

    const ids = [...ofOne.changes, ...after.changes].map(({ record }) => record.id)
    expect(ids).toEqual([removed?.id])
  })
})
