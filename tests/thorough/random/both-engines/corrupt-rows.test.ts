import type { EventRecord } from '../../../../lib/events/record.ts'
import type { Observer } from '../../../../lib/http/observer.ts'
import { CHUNK_BYTES, type Item, itemsOf } from '../../../../lib/store/format/event-items.ts'
import { DATA, INDEXES, LIST_KEY, PLACE_KEY } from '../../../../lib/store/format/keys.ts'
import { createDynamoEventStore } from '../../../../lib/store/reading/dynamo-event-store.ts'
import { deleteItems, putItems } from '../../../../lib/store/writing/put-items.ts'
import { writeEvents } from '../../../../lib/store/writing/write-events.ts'
import { ask, type HttpAnswer } from '../../../support/http/ask.ts'
import { queryFunctions } from '../../../support/http/query-functions.ts'
import { expectSane } from '../../../support/oracle/expect-sane.ts'
import { validAnswer } from '../../../support/oracle/valid-answer.ts'
import { ADDRESS_POOL } from '../../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../../support/records/arbitrary-records.ts'
import { longBatch, makeEvent } from '../../../support/records/make-event.ts'
import { type ApiRequest, tokenEvents, userEvents } from '../../../support/requests/api-request.ts'
import { shapesOf } from '../../../support/requests/plan-shapes.ts'
import { IS_LONG_RUN } from '../../../support/runner/test-size.ts'
import {
  bytesOf,
  CHECKSUM_BYTES,
  flipped,
  rewritten,
  withFirstByte,
  without,
} from '../../../support/store/damaged-items.ts'
import { useEngine } from '../../../support/store/engine.ts'
import { problemsIn } from '../../../support/store/problems-in.ts'
import { itemKey } from '../../../support/store/stored-items.ts'

const engine = useEngine()

const target = makeEvent('TransferSingle', {
  address: ADDRESS_POOL[2],
  operator: ADDRESS_POOL[3],
  from: ADDRESS_POOL[3],
  to: ADDRESS_POOL[4],
})
/** Is in the same lists as `target`. */
const sibling = makeEvent('TransferSingle', { ...target, logIndex: 9 })
/** The ids of these events are stored in chunks. The ids of `huge` need two chunks. */
const large = makeEvent('TransferBatch', { ...target, logIndex: 4, ...longBatch(300) })
const otherLarge = makeEvent('TransferBatch', { ...target, logIndex: 5, ...longBatch(301) })
const huge = makeEvent('TransferBatch', { ...target, logIndex: 6, ...longBatch(11_000) })
const RECORDS = [...eventSetOf({ blocks: 3, events: 2 }, 5), target, sibling, large]

const USER = ADDRESS_POOL[3]
const STRANGER = `0x${'77'.repeat(20)}`
const OTHER_HASH = `0x${'78'.repeat(32)}`
const WHOLE: [string, string] = ['limit', '500']
/** Queries for every plan. Some of them match the damaged events. */
const QUERIES = [
  ...shapesOf([target]),
  ...shapesOf([large]).filter(([name]) => name.includes('kind')),
  ...shapesOf(RECORDS).filter(([name]) => name.endsWith('newest first')),
]
  .filter(([name]) => !name.includes('skipped'))
  .map(([name, request]): [string, ApiRequest] => [name, { ...request, query: [...request.query, WHOLE] }])

type Damage = (items: Item[]) => { gone?: Item[]; put?: Item[] }

async function setup(damage: Damage, damaged: EventRecord = target) {
  const table = { client: engine.client, tableName: await engine.createEventsTable() }
  const records = RECORDS.includes(damaged) ? RECORDS : [...RECORDS, damaged]
  await writeEvents(table, records)
  const { chunks, entries } = itemsOf(damaged)
  const { gone = [], put = [] } = damage([...chunks, ...entries])
  await deleteItems(gone.map(itemKey), { ...table, client: engine.documents })
  await putItems(put, { ...table, client: engine.documents })
  const failures: Error[] = []
  const ignore = () => undefined
  const failed = (error: unknown) => failures.push(error as Error)
  const observer: Observer = { answered: ignore, refused: ignore, failed }
  const store = createDynamoEventStore({ ...table, client: engine.reader })
  const handlers = queryFunctions({ store, observer })
  return {
    table,
    records,
    ask: (request: ApiRequest) => ask(handlers[request.endpoint], request, 'http-api'),
    /** Returns the last failure since the previous call. */
    takeFailure: () => failures.splice(0).at(-1),
  }
}

const isChunk = ({ [LIST_KEY]: list }: Item) => String(list).startsWith('chunks#')
const isEntry = (item: Item) => !isChunk(item)
const inEntries =
  (change: (item: Item) => Item): Damage =>
  items => ({ put: items.filter(isEntry).map(change) })
const inChunks =
  (change: (item: Item, index: number, all: Item[]) => Item): Damage =>
  items => ({ put: items.filter(isChunk).map(change) })
const both =
  (one: Damage, other: Damage): Damage =>
  items => {
    const [a, b] = [one(items), other(items)]
    return { gone: [...(a.gone ?? []), ...(b.gone ?? [])], put: [...(a.put ?? []), ...(b.put ?? [])] }
  }
const moved =
  (place: string): Damage =>
  items => ({ gone: items, put: items.map(item => ({ ...item, [PLACE_KEY]: place })) })
const chunkGone: Damage = items => ({ gone: items.filter(isChunk) })

const withDataOf = (source: Item | undefined) => (item: Item) => ({ ...item, [DATA]: source?.[DATA] })

/** The bytes that replace a long field: the number of chunks (1), the size of the record (3) and a checksum (4). */
const APART_BYTES = 1 + 3 + 4
const withChunkCount = (varint: number[]) =>
  rewritten(body =>
    Buffer.concat([body.subarray(0, -APART_BYTES), Buffer.of(...varint), body.subarray(1 - APART_BYTES)]),
  )

const DAMAGES: [what: string, damage: Damage, damaged?: EventRecord][] = [
  ['with a flipped bit in its quantity', inEntries(flipped(-CHECKSUM_BYTES - 1, 1))],
  ['that lacks its data', inEntries(without(DATA))],
  ['with a text for data', inEntries(item => ({ ...item, [DATA]: bytesOf(item).toString('base64') }))],
  ['at a place that is none', moved('0')],
  ['at a place behind all others', moved('~')],
  ['at the place of another event', moved('000000000001#000000000005#base######0000000003')],
  ['at a place of another network', moved('001685664000#000000000005#polygon###0000000003')],
  ['of an unknown kind', inEntries(withFirstByte(0x1f))],
  ['whose numbers end too soon', inEntries(rewritten(body => body.subarray(0, -1)))],
  ['with more than its fields', inEntries(rewritten(body => Buffer.concat([body, Buffer.of(0)])))],
  [
    'with a quantity beyond 256 bits',
    inEntries(
      rewritten(body =>
        Buffer.concat([body.subarray(0, -2), Buffer.of(33, ...new Uint8Array(33).fill(255))]),
      ),
    ),
  ],
  ['whose chunk is missing', chunkGone, large],
  [
    'whose chunk is missing, and whose item in the list of all is damaged',
    both(chunkGone, items => ({ put: items.filter(isEntry).slice(0, 1).map(flipped(-1)) })),
    large,
  ],
  ['whose chunk has a flipped bit', inChunks(flipped(1000, 4)), large],
  ['whose chunk has no data', inChunks(without(DATA)), large],
  ['whose chunk is that of another event', inChunks(withDataOf(itemsOf(otherLarge).chunks[0])), large],
  ['whose chunks are exchanged', inChunks((item, index, all) => withDataOf(all[1 - index])(item)), huge],
  ['whose second chunk is missing', items => ({ gone: items.filter(isChunk).slice(1) }), huge],
  ['that says it has no chunks', inEntries(withChunkCount([0])), large],
  ['that says it has 268,435,455 chunks', inEntries(withChunkCount([0xff, 0xff, 0xff, 0x7f])), large],
]

test('the events whose ids are kept in chunks have as many as these tests say', () => {
  expect([target, large, otherLarge, huge].map(record => itemsOf(record).chunks.length)).toEqual([0, 1, 1, 2])
  expect(bytesOf(itemsOf(huge).chunks[0] as Item)).toHaveLength(CHUNK_BYTES)
})

const isFailure = ({ status }: HttpAnswer) => status === 500

/** A short run uses only every third query, beginning at another query for the next kind of damage. */
const queriesOf = (damage: number) => QUERIES.filter((_, query) => IS_LONG_RUN || (query + damage) % 3 === 0)

test.each(DAMAGES.map(([what, damage, damaged = target], index) => ({ what, damage, damaged, index })))(
  'a row $what fails every request for it with 500, and none in silence',
  async ({ what, damage, damaged, index }) => {
    const { table, records, ask: asking, takeFailure } = await setup(damage, damaged)
    const tally = { failed: 0, answered: 0 }
    for (const [name, request] of queriesOf(index)) {
      // An item that was moved to another place in its list may be outside the query's span, and is then not read.
      if (what.startsWith('at ') && name.includes('span')) continue
      const expected = validAnswer(records, request)
      const isAskedFor = expected.events.some(({ id }) => id === damaged.id)
      const answer = await asking(request)

      expectSane(answer, [200, 500])
      if (isAskedFor || isFailure(answer)) {
        expect({ request, status: answer.status }).toEqual({ request, status: 500 })
        expect(takeFailure()).toMatchObject({ code: 'corrupt-row', message: expect.stringContaining(' / ') })
        tally.failed += 1
      } else {
        expect(answer.body).toEqual(expected.events)
        tally.answered += 1
      }
    }
    expect(tally.failed).toBeGreaterThan(5)

    expect(await problemsIn(table)).not.toEqual([])
  },
)

test('the key of a corrupt row is told to whoever keeps the logs, and to nobody else', async () => {
  const { ask: asking, takeFailure } = await setup(inEntries(without(DATA)))
  const { [PLACE_KEY]: place } = itemsOf(target).entries[0] as Item
  const queries: [list: string, ApiRequest][] = [
    [`u${USER.slice(2)}@base`, userEvents(USER)],
    [`u${USER.slice(2)}#from@base`, tokenEvents(`from=${USER}`)],
    ['all@base', tokenEvents(`transactionHash=${target.transactionHash}`)],
  ]
  for (const [list, query] of queries) {
    const answer = await asking(query)

    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain(place)
    expect(takeFailure()).toMatchObject({
      message: `The row ${list} / ${place} is not valid`,
      cause: { message: expect.any(String) },
    })
  }
})

test.each<[string, (item: Item) => Item, ApiRequest]>([
  [
    'a user',
    item => ({
      ...item,
      [LIST_KEY]: `u${STRANGER.slice(2)}@base`,
      [INDEXES.user.key]: `u${STRANGER.slice(2)}`,
    }),
    userEvents(STRANGER),
  ],
  [
    'a transaction',
    item => ({ ...item, [INDEXES.transaction.key]: OTHER_HASH }),
    tokenEvents(`transactionHash=${OTHER_HASH}`),
  ],
  ['a block number', item => ({ ...item, [INDEXES.block.key]: 77_777 }), tokenEvents('blockNumber=77777')],
])('an event in a list of %s that is not its own fails who reads the list', async (_, change, request) => {
  const { ask: asking, takeFailure } = await setup(items => ({ put: items.slice(0, 1).map(change) }))

  expect((await asking(request)).status).toBe(500)
  expect(takeFailure()).toMatchObject({ code: 'corrupt-row' })
})

test('a corrupt row that is skipped counts as the event that stands there', async () => {
  const { ask: asking } = await setup(inEntries(without(DATA)), sibling)
  const request = userEvents(USER, 'createdAt=desc&skip=2')
  const { events } = validAnswer(RECORDS, request)

  expect(events).not.toEqual([])
  expect(events).not.toContainEqual(sibling)
  expect(await asking(request)).toMatchObject({ status: 200, body: events })
})
