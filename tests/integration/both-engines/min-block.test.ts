import { createFreshness } from '../../../lib/http/freshness.ts'
import type { Observer } from '../../../lib/http/observer.ts'
import { DEFAULT_LIMITS } from '../../../lib/query/budget.ts'
import { StoreUnavailableError } from '../../../lib/query/errors.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import type { Item } from '../../../lib/store/format/event-items.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'
import { putItems } from '../../../lib/store/writing/put-items.ts'
import { ask, directPayload, nextUrl } from '../../support/http/ask.ts'
import { LAMBDA_REQUEST_ID, lambdaContext } from '../../support/http/http-events.ts'
import { queryFunctions } from '../../support/http/query-functions.ts'
import { eventsOf } from '../../support/http/walk.ts'
import { problemsOf } from '../../support/oracle/problems-of.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { walkAnswers } from '../../support/query/walk-answers.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf, FIRST_KINDS } from '../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import {
  type ApiRequest,
  queryOf,
  requestOfUrl,
  tokenEvents,
  userEvents,
  withoutParameters,
} from '../../support/requests/api-request.ts'
import { mostFrequent } from '../../support/requests/plan-shapes.ts'
import { useEngine } from '../../support/store/engine.ts'
import { checkpointItem } from '../../support/store/lagging-networks.ts'
import { arrivingItems, createLaggingTable } from '../../support/store/lagging-table.ts'

const { jest } = import.meta
const engine = useEngine()
const records = eventSetOf({ blocks: 6, events: 4, crowd: 60, kinds: FIRST_KINDS }, 12)
const USER = ADDRESS_POOL[2]
const HASH = `0x${'5e'.repeat(32)}`
const UNMATCHABLE = '1BoatSLRHtKNngkdXEeobR76b53LBbXZ8hQKpWTz5sm'
const JSON_ONLY = { accept: 'application/json' }

let tableName: string
beforeAll(async () => {
  tableName = await engine.createEventsTable(records)
  await putCheckpoints(
    checkpointOf('base', 100),
    checkpointOf('polygon', 200, { finalizedBlock: 150 }),
    checkpointItem('arbitrum', { fence: 3, leased: true }),
  )
})

const putCheckpoints = (...items: Item[]) => putItems(items, { client: engine.documents, tableName })

const checkpointOf = (network: 'base' | 'polygon', blockNumber: number, more: Item = {}) =>
  checkpointItem(network, { blockNumber, blockHash: HASH, timestamp: 1_700_000_000 + blockNumber, ...more })

const inBlock = (network: 'base' | 'ethereum', blockNumber: number) => ({
  ...{ network, blockNumber },
  createdAt: new Date(1_700_000_000_000 + blockNumber * 1000).toISOString(),
})

const table = () => ({ client: engine.reader, tableName })
const functions = (options: { store?: EventStore; observer?: Observer } = {}) =>
  queryFunctions({
    store: createDynamoEventStore(table()),
    freshness: createFreshness(createCheckpointReader(table())),
    ...options,
  })

const askFor = (request: ApiRequest, headers: Record<string, string> = JSON_ONLY, handlers = functions()) =>
  ask(handlers[request.endpoint], request, { format: 'http-api', headers })
const invoke = (request: ApiRequest) => functions()[request.endpoint](directPayload(request), lambdaContext())
const events = (...query: ApiRequest['query']) => tokenEvents(query)

describe('where a network is not indexed so far', () => {
  test('the answer is a problem that says how far it is, and when to ask again', async () => {
    const answer = await askFor(events(['minBlock', 'base:101']))

    expect(answer.status).toBe(412)
    expect(answer.body).toEqual({
      ...{ title: 'Not indexed yet', status: 412, instance: LAMBDA_REQUEST_ID },
      type: expect.stringMatching(/^https:\/\/.+\/docs#not-indexed-yet$/),
      detail: 'base is indexed up to block 100, but minBlock asks for block 101.',
    })
    expect(answer.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' })
    for (const name of ['etag', 'link', 'x-indexed-through']) expect(answer.headers).not.toHaveProperty(name)
    const several = await askFor(tokenEvents('minBlock=base:101,polygon:200&minBlock=arbitrum:0'))
    expect((several.body as { detail: string }).detail).toBe(
      'base is indexed up to block 100, but minBlock asks for block 101; arbitrum is not indexed yet, but minBlock asks for block 0.',
    )
  })

  test.each([
    ['base:101', 412],
    ['base:100', 200],
    ['ethereum:1', 400],
  ])('a request that no event can match gets no other status: minBlock=%s', async (block, status) => {
    const minBlock: ApiRequest['query'] = [['minBlock', block]]
    expect((await askFor(userEvents(UNMATCHABLE, minBlock))).status).toBe(status)
    expect((await askFor(events(['creator', USER], ['from', USER], ...minBlock))).status).toBe(status)
  })

  test('a direct call fails by a name of its own, and no call is a failure to those who watch', async () => {
    const observer = { answered: jest.fn(), refused: jest.fn(), failed: jest.fn() }
    const handlers = functions({ observer })
    const request = events(['minBlock', 'base:101'], ['minBlock', 'polygon:7'])
    await askFor(request, JSON_ONLY, handlers)
    await expect(handlers['token-events'](directPayload(request), lambdaContext())).rejects.toMatchObject({
      name: 'NotIndexedYetError',
      message: 'base is indexed up to block 100, but minBlock asks for block 101',
    })

    const refused = [{ status: 412 }, { status: 'direct' }].map(call => [call, 'not-indexed-yet'])
    expect(observer.refused.mock.calls).toMatchObject(refused)
    for (const other of [observer.failed, observer.answered]) expect(other).not.toHaveBeenCalled()
  })
})

describe('of what is wrong with a request', () => {
  test('a network that no indexer writes is a wrong parameter', async () => {
    const message =
      'contains ethereum, which has no indexer, so it is unknown how far ethereum is indexed: remove ethereum'
    const request = events(['minBlock', 'base:101,ethereum:5'])

    expect(problemsOf(await askFor(request))).toEqual([{ parameter: 'minBlock', message }])
    const refused = { name: 'InvalidQueryError', message: `minBlock: ${message}` }
    await expect(invoke(request)).rejects.toMatchObject(refused)
  })

  test.each([
    ['a wrong parameter before all', 'minBlock=base:101&limit=0', 'text/html', 400],
    ['a network without indexer before the format', 'minBlock=ethereum:1', 'text/html', 400],
    ['the format before the block', 'minBlock=base:101', 'text/html', 406],
    ['the block at last', 'minBlock=base:101', 'text/csv', 412],
    ['nothing where it is indexed', 'minBlock=base:100', 'text/csv', 200],
  ])('%s is told', async (_, query, accept, status) => {
    expect((await askFor(tokenEvents(query), { accept })).status).toBe(status)
  })
})

describe('how far a network is indexed', () => {
  test('is read for each request, whatever an earlier one has read', async () => {
    const handlers = functions()
    const askAt = async (blockNumber: number) => {
      await putCheckpoints(checkpointOf('base', blockNumber))
      const { status, headers } = await askFor(events(['minBlock', 'base:100']), JSON_ONLY, handlers)
      return [status, /base=(\d+)@/.exec(headers['x-indexed-through'] ?? '')?.[1]]
    }
    const before = await askFor(events(), JSON_ONLY, handlers)

    expect(before.headers['x-indexed-through']).toMatch(/base=100@/)
    expect(await askAt(105)).toEqual([200, '105'])
    // The checkpoint moves back, as after a reorganisation that removed blocks.
    expect(await askAt(95)).toEqual([412, undefined])
    expect(await askAt(100)).toEqual([200, '100'])
  })

  test('tells what is final, too', async () => {
    const request = events(['minBlock', 'polygon:200'], ['finalized', 'true'], ['limit', '500'])
    const answer = await askFor(request, JSON_ONLY, functions())

    expect(eventsOf(answer)).toEqual(validAnswer(records, request, { polygon: 150 }).events)
    const finality = { finalizedBlock: 150, finalizedTimestamp: 1_700_000_150 }
    await putCheckpoints(checkpointOf('polygon', 200, finality))
    const told = await askFor(request)
    expect(told.headers['x-finalized-through']).toBe('polygon=150@2023-11-14T22:15:50Z')
    expect((await askFor(events())).headers).not.toHaveProperty('x-finalized-through')
    expect((await askFor(userEvents(UNMATCHABLE))).headers).not.toHaveProperty('x-indexed-through')
  })

  test('is the store’s to say: where it cannot be read, there is no answer', async () => {
    const readCheckpoints = () => Promise.reject(new StoreUnavailableError(new Error('as arranged')))
    const handlers = functions({ store: { ...createDynamoEventStore(table()), readCheckpoints } })

    expect((await askFor(events(['minBlock', 'base:100']), JSON_ONLY, handlers)).status).toBe(503)
    expect((await askFor(events(), JSON_ONLY, handlers)).status).toBe(200)
  })
})

describe('an answer with minBlock', () => {
  test('has a Link that keeps it, and a cursor that is good without it and the other way round', async () => {
    const query: ApiRequest['query'] = [['limit', '4']]
    const named: ApiRequest['query'] = [...query, ['minBlock', 'base:0007'], ['minBlock', 'polygon:7']]
    const { all } = validAnswer(records, events())
    const first = await askFor(events(...named))
    const next = requestOfUrl(nextUrl(first) ?? '')

    expect(withoutParameters(next.query, 'cursor').toSorted()).toEqual(named.toSorted())
    expect(eventsOf(await askFor(next))).toEqual(all.slice(4, 8))
    const without = { ...next, query: withoutParameters(next.query, 'minBlock') }
    expect(eventsOf(await askFor(without))).toEqual(all.slice(4, 8))
    const later = requestOfUrl(nextUrl(await askFor(without)) ?? '')
    const again = { ...later, query: [...later.query, ['minBlock', 'polygon:9']] } as ApiRequest
    expect(eventsOf(await askFor(again))).toEqual(all.slice(8, 12))
  })

  test.each(['blockNumber', 'transactionHash'] as const)(
    'by block number goes on where one without it has stopped, in a %s',
    async name => {
      const value = mostFrequent(records.map(record => String(record[name])))
      const query = queryOf(`${name}=${value}&blockNumber=asc&limit=7`)
      const found: string[] = []
      let request: ApiRequest | undefined = events(...query)
      for (let page = 0; request; page += 1) {
        const others = withoutParameters(request.query, 'minBlock')
        const named = queryOf(page % 2 === 0 ? '' : 'minBlock=base:100,polygon:200')
        const answer = await askFor(events(...others, ...named))
        found.push(...eventsOf(answer).map(({ id }) => id))
        const url = nextUrl(answer)
        request = url === undefined ? undefined : requestOfUrl(url)
      }

      expect(found).toEqual(validAnswer(records, events(...query)).all.map(({ id }) => id))
      expect(found.length).toBeGreaterThan(14)
    },
  )

  test.each<[string, ApiRequest['query'], isStored: boolean]>([
    ['was not in the index yet', [], true],
    ['was not stored yet', [['minBlock', 'base:10']], false],
  ])(
    'has a block of a network that an earlier page had read to the end when the block %s',
    async (...drawn) => {
      const [, named, isStored] = drawn
      const at = (...block: Parameters<typeof inBlock>) => makeEvent('TransferSingle', inBlock(...block))
      const early = [at('base', 10), at('ethereum', 20), at('ethereum', 30), at('ethereum', 200)]
      const late = [at('base', 100)]
      const lagging = await createLaggingTable(engine)
      await lagging.store(isStored ? [...early, ...late] : early)
      await lagging.arrive(arrivingItems(early))
      await lagging.storeItems([checkpointOf('base', isStored ? 100 : 10)])
      const store = createDynamoEventStore({ client: lagging.reader, tableName: lagging.tableName })
      const handlers = functions({ store })
      const order: ApiRequest['query'] = [['blockNumber', 'asc'], ['limit', '2'], ...named]
      const url = nextUrl(await askFor(events(...order), JSON_ONLY, handlers)) ?? ''
      await lagging.store(late)
      await lagging.storeItems([checkpointOf('base', 100)])
      const query = withoutParameters(requestOfUrl(url).query, 'limit', 'minBlock')
      const next = await askFor(events(...query, ['minBlock', 'base:100']), JSON_ONLY, handlers)

      expect(eventsOf(next).map(({ blockNumber }) => blockNumber)).toEqual([30, 100, 200])
      lagging.stop()
    },
  )

  test('a list that has ended does not hold back another list of its network', async () => {
    const [first = '', long = '', none] = ['1', '2', '3'].map(digit => `0x${digit.repeat(40)}`)
    const at = (event: 'Minted' | 'TransferSingle', address: string, blockNumber: number) =>
      makeEvent(event, { ...inBlock('base', blockNumber), address })
    const wanted = [at('Minted', first, 10), at('Minted', long, 90)]
    const others = Array.from({ length: 60 }, (_, index) => at('TransferSingle', long, 20 + index))
    const name = await engine.createEventsTable([...wanted, ...others])
    await putItems([checkpointOf('base', 90)], { client: engine.documents, tableName: name })
    const whole = createDynamoEventStore({ client: engine.reader, tableName: name })
    const store: EventStore = {
      ...whole,
      readList: reading => whole.readList({ ...reading, limit: Math.min(reading.limit, 3) }),
    }
    const kinds = 'event=Minted,OwnershipTransferred'
    const asked = tokenEvents(`address=${first},${long},${none}&${kinds}&blockNumber=asc&minBlock=base:90`)
    const pages = await walkAnswers(asked, () => ({ store, limits: { ...DEFAULT_LIMITS, roundTrips: 6 } }))

    expect(pages.flatMap(page => page.records)).toEqual(wanted)
  })

  test('may be kept for seconds, and is unchanged where nothing has come', async () => {
    const request = tokenEvents('minBlock=polygon:200&network=polygon&createdAt=asc&limit=1')
    const { headers } = await askFor(request)
    const again = await askFor(request, { ...JSON_ONLY, 'if-none-match': headers.etag ?? '' })

    expect(headers['cache-control']).toBe('public, max-age=5')
    expect(again.status).toBe(304)
  })

  test.each<[string, ApiRequest, number, number]>([
    ['a user on one network', userEvents(USER, 'network=base&minBlock=base:100'), 2, 2],
    ['a user', userEvents(USER, [['minBlock', 'base:100']]), 7, 3],
    ['what no event can be', userEvents(UNMATCHABLE, [['minBlock', 'base:100']]), 1, 1],
  ])('reads the checkpoints and then the lists: of %s', async (_, request, calls, roundTrips) => {
    const limited = { ...request, query: [...request.query, ['limit', '3']] } as ApiRequest
    const { headers } = await askFor(limited)
    const [, told, trips] = /desc="(\d+) calls, (\d+) round trips/.exec(headers['server-timing'] ?? '') ?? []

    expect(Number(told)).toBeLessThanOrEqual(calls)
    expect(Number(trips)).toBeLessThanOrEqual(roundTrips)
  })
})
