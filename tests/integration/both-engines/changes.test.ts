import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../../../lib/events/networks.ts'
import { compareByTime, placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { removalOf } from '../../../lib/events/revision.ts'
import { answerChanges } from '../../../lib/feed/answer-changes.ts'
import { createDynamoChangeStore } from '../../../lib/feed/dynamo-change-store.ts'
import { encodeFeedCursor } from '../../../lib/feed/feed-cursor.ts'
import { parseChanges } from '../../../lib/feed/parse-changes.ts'
import type { Change } from '../../../lib/feed/turn.ts'
import { DEFAULT_LIMITS } from '../../../lib/query/budget.ts'
import { seal, unseal } from '../../../lib/query/sealed-text.ts'
import { indexStateKey } from '../../../lib/store/format/checkpoint.ts'
import { EXPIRES, REVISION, revisionKey } from '../../../lib/store/format/revision-item.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { appendRevision } from '../../../lib/store/writing/append-revision.ts'
import { putItems } from '../../../lib/store/writing/put-items.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { changesFunction } from '../../support/changes/changes-function.ts'
import { storedRevisions } from '../../support/changes/stored-revisions.ts'
import { ask, type HttpAnswer, nextUrl } from '../../support/http/ask.ts'
import { FORMATS, type HttpOptions, lambdaContext } from '../../support/http/http-events.ts'
import { hasUser } from '../../support/oracle/oracle.ts'
import { parametersOf, problemsOf } from '../../support/oracle/problems-of.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf, FIRST_KINDS } from '../../support/records/arbitrary-records.ts'
import { byId } from '../../support/records/by-id.ts'
import { tokenEvents } from '../../support/requests/api-request.ts'
import { useStarted } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'

const { jest } = import.meta
const engine = useEngine()
const RECORDS = eventSetOf({ blocks: 6, events: 3, crowd: 20, kinds: FIRST_KINDS }, 11)
const ofNetwork = (network: Network) => RECORDS.filter(record => record.network === network)
const [ANY] = RECORDS as [EventRecord]
const USER = ADDRESS_POOL[4]
const NOBODY = `0x${'9'.repeat(40)}`

const isOneOf = ({ event }: EventRecord, kinds: readonly EventRecord['event'][]) => kinds.includes(event)
const isOfAny = (record: EventRecord) =>
  record.address === ANY.address &&
  record.network === ANY.network &&
  isOneOf(record, ['TransferSingle', 'TransferBatch'])

type Query = Record<string, string | readonly string[]>

const rawQueryOf = (query: Query) =>
  Object.entries(query)
    .flatMap(([name, values]) => [values].flat().map(value => `${name}=${encodeURIComponent(value)}`))
    .join('&')

async function setup(records: EventRecord[] = RECORDS) {
  const tableName = await engine.createEventsTable(records)
  const client = engine.documents
  const table = { client: engine.reader, tableName }
  let lateMs = 0
  const handler = changesFunction(table, { now: () => Date.now() + lateMs })
  const usual = { format: 'http-api', path: '/v1/changes' } as const
  const get = (query: Query = {}, options: Partial<HttpOptions> = {}) =>
    ask(handler, tokenEvents(), { ...usual, rawQuery: rawQueryOf(query), ...options })
  const goOn = (answer: HttpAnswer, options: Partial<HttpOptions> = {}) =>
    get({}, { rawQuery: new URL(nextUrl(answer) ?? '').search.slice(1), ...options })
  return {
    table,
    handler,
    stateOf(answer: HttpAnswer) {
      const parameters = [...new URL(nextUrl(answer) ?? '').searchParams]
      const { start, scopeKey } = parseChanges({ parameters })
      if (typeof start === 'string') throw new TypeError('The page has no cursor')
      return { state: start, scopeKey }
    },
    write: (later: EventRecord[]) => writeEvents({ client: engine.client, tableName }, later),
    get,
    goOn,
    async readOn(first: HttpAnswer): Promise<Change[]> {
      const changes: Change[] = []
      for (let page = first; ; page = await goOn(page)) {
        changes.push(...changesOf(page))
        if (changesOf(page).length === 0) return changes
      }
    },
    revision: (revision: Parameters<typeof appendRevision>[0], keptDays?: number) =>
      appendRevision(revision, { client, tableName, keptDays }),
    checkpoint: (network: Network, fields: object) =>
      putItems([{ ...indexStateKey(network), ...fields }], { client, tableName }),
    /** Stores this many entries without removed events in the log of revisions, as loads that take hours do. */
    announceOften: (count: number, at = 1) =>
      putItems(
        Array.from({ length: count }, (_, index) => ({
          ...revisionKey(index + 1),
          [REVISION]: JSON.stringify({ places: {}, removed: [], at }),
        })),
        { client, tableName },
      ),
    forget: (number: number) =>
      client.send(new DeleteCommand({ TableName: tableName, Key: revisionKey(number) })),
    pass: (ms: number) => {
      lateMs += ms
    },
  }
}

function changesOf({ status, body, text }: HttpAnswer): Change[] {
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return body as Change[]
}

const added = (changes: readonly Change[]) =>
  changes.flatMap(each => (each.change === 'added' ? [each.record] : []))

const inChainOrder = (records: readonly EventRecord[]) =>
  records.toSorted((a, b) => compareByTime(placeOf(a), placeOf(b)))

type Removed = Pick<EventRecord, 'id' | 'network' | 'blockNumber' | 'blockHash'>

function told({ id, network, blockNumber, blockHash }: Removed): Change {
  return { change: 'removed', record: { id, network, blockNumber, blockHash } }
}

const full = useStarted(() => setup())

test.each(FORMATS)(
  'from the beginning every event is told once, in the order of its chain (%s)',
  async format => {
    const { get, goOn } = full
    const changes: Change[] = []
    let page = await get({ from: 'beginning', limit: '7' }, { format })
    while (changesOf(page).length > 0) {
      expect(page.headers).not.toHaveProperty('retry-after')
      changes.push(...changesOf(page))
      page = await goOn(page, { format })
    }

    expect(byId(added(changes))).toEqual(byId(RECORDS))
    for (const network of new Set(RECORDS.map(record => record.network))) {
      const found = added(changes).filter(record => record.network === network)
      expect(found).toEqual(inChainOrder(ofNetwork(network)))
    }
    expect(page.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' })
    expect(page.headers).not.toHaveProperty('x-partial')
    expect(nextUrl(page)).toContain('/v1/changes?limit=7&cursor=')
  },
)

type IsAskedFor = (record: EventRecord) => boolean

test.each<[of: string, Query, IsAskedFor, isRemovalTold?: IsAskedFor]>([
  [
    'kinds of tokens on a network',
    {
      address: [ANY.address.toUpperCase(), NOBODY],
      event: 'TransferBatch,TransferSingle',
      network: ANY.network,
    },
    isOfAny,
  ],
  ['what no event can have', { address: 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb' }, () => false],
  // Removals are reported for the events of every user, because the log of revisions does not contain users.
  ['a user', { user: USER.toUpperCase() }, record => hasUser(record, USER), () => true],
  [
    'kinds of a user with a token on a network',
    { user: USER, address: ANY.address, event: ['TransferSingle', 'TransferBatch'], network: ANY.network },
    record => hasUser(record, USER) && isOfAny(record),
    isOfAny,
  ],
  ['a user who is none', { user: 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb' }, () => false],
])(
  'only changes of %s are told where they are asked for',
  async (_, query, isAskedFor, isRemovalTold = isAskedFor) => {
    const { get, goOn, readOn, revision } = full
    const first = await get({ ...query, from: 'beginning' })

    expect(byId(added(await readOn(first)))).toEqual(byId(RECORDS.filter(isAskedFor)))

    const now = await get(query)
    await revision({ places: {}, removed: RECORDS.map(removalOf) })
    expect(await readOn(await goOn(now))).toEqual(RECORDS.filter(isRemovalTold).map(told))
  },
)

test('removals that fill several entries of the log are all told, at most 500 a page, also from the beginning', async () => {
  const { get, goOn, readOn, revision } = await setup([])
  const now = await get({ limit: '500' })
  const removed = Array.from({ length: 600 }, (_, index) => ({ ...removalOf(ANY), id: `${index}` }))
  await revision({ places: {}, removed })

  const page = await goOn(now)
  expect(changesOf(page)).toHaveLength(500)
  expect(await readOn(page)).toEqual(removed.map(told))
  expect(await readOn(await get({ from: 'beginning', limit: '500' }))).toEqual(removed.map(told))
})

describe('where an indexer is at work', () => {
  const base = inChainOrder(ofNetwork('base'))
  const middle = base[Math.floor(base.length / 2)] as EventRecord
  const lease = { network: 'base', fence: 1, renewals: 1, owner: 'x', leased: true, leaseMs: 1000, scope: {} }
  const { blockNumber, blockHash, createdAt } = middle
  const upToMiddle = { blockNumber, blockHash, timestamp: Date.parse(createdAt) / 1000 }
  const isUpTo = (record: EventRecord) =>
    record.createdAt < createdAt || (record.createdAt === createdAt && record.blockNumber <= blockNumber)

  test('events are returned up to its checkpoint, which X-Indexed-Through names, and all once it is at rest, or without a lease', async () => {
    const { checkpoint, get, readOn, goOn } = await setup(base)
    await checkpoint('base', upToMiddle)
    expect(added(await readOn(await get({ from: 'beginning' })))).toEqual(base)

    await checkpoint('base', { ...lease, atRest: false })
    const first = await get({ from: 'beginning' })
    expect(first.body).toEqual([])

    await checkpoint('base', { ...lease, ...upToMiddle })
    const next = await goOn(first)
    expect(added(await readOn(next))).toEqual(base.filter(isUpTo))
    expect(next.headers['x-indexed-through']).toBe(`base=${blockNumber}@${createdAt.replace('.000Z', 'Z')}`)

    // Final events include those that were stored before from=now and become final later.
    const now = await get({ from: 'now', finalized: 'true' })
    const final = { finalizedBlock: blockNumber, finalizedTimestamp: upToMiddle.timestamp }
    await checkpoint('base', { ...lease, ...upToMiddle, ...final })
    expect(now.body).toEqual([])
    expect(added(await readOn(await goOn(now)))).toEqual(base.filter(isUpTo))

    const known = await get({ from: 'beginning', limit: '500' })
    await checkpoint('base', { ...lease, ...upToMiddle, leased: false, atRest: true })
    expect(added(await readOn(await goOn(known)))).toEqual(base.filter(record => !isUpTo(record)))
  })
})

test('a load that has died is not forgotten among many others, and the cursor stays short', async () => {
  const base = inChainOrder(ofNetwork('base'))
  const { get, goOn, readOn, revision, write, pass } = await setup(base.slice(1))
  const known = await get({ from: 'beginning', limit: '500' })
  for (let number = 0; number < 30; number += 1) {
    await revision({ places: { base: '' }, removed: [], load: { id: `load ${number}`, hasEnded: false } })
  }
  const heard = await goOn(known)
  for (let number = 1; number < 30; number += 1) {
    await revision({ places: { base: '~' }, removed: [], load: { id: `load ${number}`, hasEnded: true } })
  }
  const quiet = await goOn(heard)
  await write(base.slice(0, 1))
  pass(100_000)
  const still = await goOn(quiet)
  expect(still.body).toEqual([])
  pass(51_000)

  expect(nextUrl(heard)?.length).toBeLessThan(2000)
  expect(added(await readOn(await goOn(still)))).toEqual(base)
})

test('from=now knows a load whose last announcement precedes many other entries', async () => {
  const base = inChainOrder(ofNetwork('base'))
  const { get, goOn, readOn, revision, write, pass } = await setup(base.slice(1))
  await revision({ places: { base: '' }, removed: [], load: { id: 'a load', hasEnded: false } })
  for (let count = 0; count < 50; count += 1) await revision({ places: {}, removed: [] })
  const now = await get()
  await write(base.slice(0, 1))
  pass(151_000)

  expect(added(await readOn(await goOn(now)))).toEqual(base)
})

test('from=now does not exceed its budget, however many entries a mass removal has just appended', async () => {
  const { table, announceOften } = await setup()
  await announceOften(299, Math.floor(Date.now() / 1000))
  const stores = { store: createDynamoEventStore(table), changeStore: createDynamoChangeStore(table) }
  const begin = async (roundTrips: number) => {
    const limits = { ...DEFAULT_LIMITS, roundTrips }
    const { cost } = await answerChanges(parseChanges({ parameters: [] }), { ...stores, limits })
    return cost.roundTrips
  }

  expect((await begin(40)) - (await begin(2))).toBe(4)
})

describe('a cursor', () => {
  const nothing = { places: {}, removed: [] }

  test('is too old once the log has forgotten what came behind it', async () => {
    const { get, goOn, revision, forget } = await setup()
    await revision(nothing)
    const old = await get()
    for (let entry = 0; entry < 3; entry++) await revision(nothing)
    expect((await goOn(old)).status).toBe(200)

    // The cursor stays valid if the only expired entry is one that the reader has already seen.
    await forget(1)
    expect((await goOn(old)).status).toBe(200)
    await forget(2)
    const answer = await goOn(old)
    expect(answer.status).toBe(410)
    const detail = expect.stringContaining('from=beginning')
    const type = expect.stringMatching(/\/docs#cursor-expired$/)
    expect(answer.body).toMatchObject({ status: 410, title: 'Cursor too old', detail, type })
  })

  test('entries of the log expire once others follow, and the newest never does', async () => {
    const { revision, table } = await setup([])
    for (const keptDays of [2, 2]) await revision(nothing, keptDays)
    await revision(nothing)
    const items = await storedRevisions(engine.client, table.tableName)

    const daysTo = (seconds: unknown) => Math.round((Number(seconds) - Date.now() / 1000) / 86_400)
    expect(items.map(item => item[EXPIRES] && daysTo(item[EXPIRES]))).toEqual([2, 30, undefined])
  })
})

const empty = useStarted(() => setup([]))

test.each<[string, (good: string) => Query, string[]]>([
  ['a cursor beside from', good => ({ cursor: good, from: 'now' }), ['cursor']],
  ['an altered cursor', good => ({ cursor: `${good.slice(0, -2)}AA` }), ['cursor']],
  ['a cursor of another scope', good => ({ cursor: good, network: 'base' }), ['cursor']],
  ['a cursor of all users', good => ({ cursor: good, user: USER }), ['cursor']],
  ['an empty cursor', () => ({ cursor: '' }), ['cursor']],
  ['a cursor of events', () => ({ cursor: 'kWZ0nUYo1P8GV6ixWzEsMCxudWxsXQ' }), ['cursor']],
  ['two cursors', good => ({ cursor: [good, good] }), ['cursor']],
  ['an unknown start', () => ({ from: 'then' }), ['from']],
  ['two starts', () => ({ from: ['now', 'beginning'] }), ['from']],
  ['a limit of none', () => ({ limit: '0' }), ['limit']],
  [
    'filters of events',
    () => ({ owner: USER, blockNumber: '7', skip: '1' }),
    ['blockNumber', 'owner', 'skip'],
  ],
  ['a user that is too short', () => ({ user: 'x'.repeat(34) }), ['user']],
  ['a user that is too long', () => ({ user: 'x'.repeat(56) }), ['user']],
  ['no user', () => ({ user: '' }), ['user']],
  ['two users', () => ({ user: [USER, ADDRESS_POOL[2]] }), ['user']],
  ['a list of users', () => ({ user: `${USER},${ADDRESS_POOL[2]}` }), ['user']],
  [
    'wrong values',
    () => ({ network: 'base,', event: 'Mint', address: 'x' }),
    ['address', 'event', 'network'],
  ],
])('%s is refused by name', async (_, query, parameters) => {
  const good = new URL(nextUrl(await empty.get()) ?? '').searchParams.get('cursor') ?? ''

  expect(parametersOf(problemsOf(await empty.get(query(good))))).toEqual(parameters)
})

test('a turn whose budget runs out says so, goes on where it ended, and never in a circle', async () => {
  const { table } = await setup()
  const stores = { store: createDynamoEventStore(table), changeStore: createDynamoChangeStore(table) }
  const options = { ...stores, limits: { readUnits: 4, roundTrips: 40, bodyBytes: 5_000_000 } }
  const found: EventRecord[] = []
  let parameters: [string, string][] = [['from', 'beginning']]
  let partials = 0
  for (let turn = 0; turn < 200; turn++) {
    const asked = parseChanges({ parameters: [...parameters, ['limit', '500']] })
    const answer = await answerChanges(asked, options)
    found.push(...added(answer.changes))
    if (answer.isPartial) partials += 1
    if (answer.isUpToDate) break
    parameters = [['cursor', answer.next]]
  }

  expect(byId(found)).toEqual(byId(RECORDS))
  expect(partials).toBeGreaterThan(0)
  const none = { ...options, limits: { ...options.limits, roundTrips: 1 } }
  await expect(answerChanges(parseChanges({ parameters }), none)).rejects.toThrow('did not answer in time')
})

test('other services invoke the function with a query, and get the cursor to go on with', async () => {
  const { handler, announceOften } = await setup()
  const invoke = <T = object>(payload: object) => handler(payload, lambdaContext()) as Promise<T>
  type Turn = { changes: Change[]; next: string }
  const first = await invoke<Turn>({ query: { from: 'beginning', limit: 3, network: ['base', 'polygon'] } })

  expect(first).toEqual({ changes: expect.any(Array), next: expect.any(String), partial: false })
  expect(first.changes).toHaveLength(3)
  const query = { cursor: first.next, network: 'polygon,base' }
  expect(await invoke({ query })).toHaveProperty('changes')
  const other = invoke({ address: ANY.address, query: {} })
  await expect(other).rejects.toThrow('address: is not a key of the payload')
  await expect(invoke({ query: {}, smoke: true })).rejects.toMatchObject({ name: 'SmokeCheckFailed' })
  const smoke = { query: { from: 'beginning', limit: 1 }, smoke: true }
  expect(await invoke(smoke)).toMatchObject({ changes: [{ change: 'added' }] })
  // A smoke check also passes if the log is so long that the first page has no change yet.
  await announceOften(400)
  expect(await invoke(smoke)).toMatchObject({ changes: [], partial: true })
})

const TO_START = '. To continue, send cursor; to start, send from=beginning or from=now'
const ANY_USER = '; use the parameter user, which matches this field and every other field that holds a user'

test.each([
  ...['form', 'From'].map(name => [name, '; did you mean from?']),
  ['wallet', '; did you mean user?'],
  ...['since', 'from_block', 'offset'].map(name => [name, TO_START]),
  ...['owner', 'to', 'previous_owner', 'sender'].map(name => [name, ANY_USER]),
])('whoever sends %s is told what to send instead', async (name, advice) => {
  const invoked = empty.handler({ query: { [name]: USER } }, lambdaContext())

  await expect(invoked).rejects.toThrow(`${name}: is not a parameter of changes${advice}`)
})

test('an address that no contract can have is named on every page, and to direct calls', async () => {
  const { get, goOn, handler } = await setup()
  const address = ANY.address.slice(0, -1)
  const page = await get({ address, from: 'beginning' })
  const next = await goOn(page)
  const invoked = handler({ query: { address, from: 'beginning' } }, lambdaContext())

  for (const { body, headers } of [page, next])
    expect([body, headers['x-unmatchable']]).toEqual([[], 'address'])
  expect(await invoked).toMatchObject({ changes: [], partial: false, unmatchable: ['address'] })
  expect((await get({ address: `${address},${ANY.address}` })).headers).not.toHaveProperty('x-unmatchable')
})

test('other methods and paths are refused, and an answer says what took its time', async () => {
  const { get, goOn } = empty

  expect((await get({}, { method: 'POST' })).status).toBe(405)
  expect((await get({}, { path: '/v1/changes/' })).status).toBe(404)
  expect((await goOn(await get())).headers).toHaveProperty('server-timing')
})

describe('a table that was created again under its name', () => {
  const load = { places: { [ANY.network]: '' }, removed: [] }
  const HOUR_MS = 3_600_000
  afterEach(() => jest.restoreAllMocks())

  /** Makes a table whose log has one entry, with a time that is `laterMs` after the current time. */
  async function tableMade(laterMs: number) {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + laterMs)
    const table = await setup(ofNetwork(ANY.network))
    await table.revision(load)
    jest.restoreAllMocks()
    return table
  }

  test('goes on from a cursor of an earlier version, whose next cursor tells the tables apart', async () => {
    const [former, other] = [await tableMade(0), await tableMade(HOUR_MS)]
    const { state, scopeKey } = former.stateOf(await former.get())
    const earlier = encodeFeedCursor({ ...state, seenAt: undefined }, scopeKey)
    const next = await former.get({ cursor: earlier })

    expect(state.seenAt).toEqual(expect.any(Number))
    expect((await former.goOn(next)).status).toBe(200)
    expect((await other.goOn(next)).status).toBe(410)
    // The time of the log's entry tells the tables apart even if they have the same name.
    const ofAnyName = encodeFeedCursor({ ...state, table: undefined }, scopeKey)
    expect((await former.get({ cursor: ofAnyName })).status).toBe(200)
    expect((await other.get({ cursor: ofAnyName })).status).toBe(410)
    // A log that ends before the entry that the cursor has seen also belongs to another table.
    expect((await empty.get({ cursor: ofAnyName })).status).toBe(410)
  })

  test('goes on from a cursor that an earlier version has moved past entries and loads', async () => {
    const table = await tableMade(0)
    const { state, scopeKey } = table.stateOf(await table.get())
    await table.revision(load)
    const [version, seen, reported, places, entries, isNew] = unseal(
      encodeFeedCursor({ ...state, seenAt: 1 }, scopeKey),
    ) as [string, number, number, object, unknown[], boolean]
    const open = [...entries, ['a load', Date.now() + HOUR_MS, {}]]
    const cursor = seal([version, seen + 1, reported, places, open, isNew], scopeKey)
    const answer = await table.get({ cursor })

    expect({ status: answer.status, seen }).toEqual({ status: 200, seen: 1 })
    expect(table.stateOf(answer).state).toMatchObject({ seen: 2, loads: [{ id: 'a load' }] })
  })
})
