import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { Observer } from '../../../lib/http/observer.ts'
import { verifyTable } from '../../../lib/ingest/verify/verify-table.ts'
import { createDynamoEventStore } from '../../../lib/store/dynamo-event-store.ts'
import { type Item, itemsOf } from '../../../lib/store/item.ts'
import { writeEvents } from '../../../lib/store/write-events.ts'
import { ask, type HttpAnswer } from '../../support/http/ask.ts'
import { queryFunctions } from '../../support/http/query-functions.ts'
import { expectSane } from '../../support/oracle/expect-sane.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { longBatch, makeEvent } from '../../support/records/make-event.ts'
import type { ApiRequest } from '../../support/requests/api-request.ts'
import { shapesOf } from '../../support/requests/plan-shapes.ts'
import { IS_LONG_RUN } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()

/** The event that is damaged. */
const target = makeEvent('TransferSingle', {
  address: ADDRESS_POOL[2],
  operator: ADDRESS_POOL[3],
  from: ADDRESS_POOL[3],
  to: ADDRESS_POOL[4],
})
/** An event like it whose ids are kept in chunks. */
const large = makeEvent('TransferBatch', { ...target, logIndex: 4, ...longBatch(300) })
const RECORDS = [...eventSetOf({ blocks: 3, events: 2 }, 5), target, large]

const USER = ADDRESS_POOL[3]
const WHOLE: [string, string] = ['limit', '500']
/** Every plan, on questions that the damaged events answer and on others. */
const QUESTIONS = [
  ...shapesOf([target]),
  ...shapesOf([large]).filter(([name]) => name.includes('kind')),
  ...shapesOf(RECORDS).filter(([name]) => name.endsWith('newest first')),
]
  .filter(([name]) => !name.includes('skipped'))
  .map(([name, request]): [string, ApiRequest] => [name, { ...request, query: [...request.query, WHOLE] }])

async function setup(damage: (items: Item[]) => { gone?: Item[]; put?: Item[] }, damaged: EventRecord) {
  const table = { client: engine.client, tableName: await engine.createEventsTable() }
  await writeEvents(table, RECORDS)
  const { chunks, entries } = itemsOf(damaged)
  const { gone = [], put = [] } = damage([...chunks, ...entries])
  const requests = [
    ...gone.map(({ list, place }) => ({ DeleteRequest: { Key: { list, place } } })),
    ...put.map(item => ({ PutRequest: { Item: item } })),
  ]
  const documents = DynamoDBDocumentClient.from(table.client)
  for (let at = 0; at < requests.length; at += 25) {
    const part = requests.slice(at, at + 25)
    await documents.send(new BatchWriteCommand({ RequestItems: { [table.tableName]: part } }))
  }
  const failures: Error[] = []
  const observer: Observer = {
    answered: () => undefined,
    refused: () => undefined,
    failed: error => failures.push(error as Error),
  }
  const store = createDynamoEventStore({ ...table, client: engine.reader })
  const handlers = queryFunctions({ store, observer })
  return {
    table,
    ask: (request: ApiRequest) => ask(handlers[request.endpoint], request, 'http-api'),
    /** What was told to whoever keeps the logs since it was last asked for. */
    takeFailure: () => failures.splice(0).at(-1),
  }
}

type Damage = (items: Item[]) => { gone?: Item[]; put?: Item[] }

const isChunk = ({ list }: Item) => String(list).startsWith('chunks#')
const changed =
  (change: object): Damage =>
  items => ({ put: items.filter(item => !isChunk(item)).map(item => ({ ...item, ...change })) })
const without =
  (name: string): Damage =>
  items => ({
    put: items
      .filter(item => !isChunk(item))
      .map(item => {
        const { [name]: _, ...rest } = item
        return rest
      }),
  })
const moved =
  (place: string): Damage =>
  items => ({ gone: items, put: items.map(item => ({ ...item, place })) })
const chunked =
  (part: unknown): Damage =>
  items => ({ put: items.filter(isChunk).map(item => ({ ...item, part })) })
const json = (value: unknown) => Buffer.from(JSON.stringify(value))

const DAMAGES: [what: string, damage: Damage, damaged?: EventRecord][] = [
  ['that lacks its block hash', without('blockHash')],
  ['that lacks its kind', without('event')],
  ['that lacks its network', without('network')],
  ['that lacks its token', without('address')],
  ['that lacks its sender', without('from')],
  ['that lacks its time', without('createdAt')],
  ['with a sender that is no text', changed({ from: 7 })],
  ['with a token that is a list', changed({ address: [ADDRESS_POOL[2]] })],
  ['with a block number that is a text', changed({ blockNumber: '5' })],
  ['with a transaction that is a number', changed({ transactionHash: 1 })],
  ['with a fraction for a log index', changed({ logIndex: 3.5 })],
  ['with ids that are numbers', changed({ tokenIds: [1] })],
  ['with an id that has no quantity', changed({ quantities: [] })],
  ['with a quantity that has no id', changed({ quantities: ['2', '3'] })],
  ['with an id beyond 256 bits', changed({ tokenIds: ['9'.repeat(79)] })],
  ['with a hash in capitals', changed({ blockHash: target.blockHash.toUpperCase() })],
  ['with a field of another kind', changed({ newOwner: USER })],
  ['with a field that is nothing', changed({ operator: null })],
  ['with bytes in a field', changed({ quantities: new Uint8Array([1]) })],
  ['with the time of another second', changed({ createdAt: '2023-06-02T00:00:01.000Z' })],
  ['at a place that is none', moved('0')],
  ['at a place behind all others', moved('~')],
  ['at the place of another event', moved('000000000001#000000000005#base######0000000003')],
  ['whose chunk is missing', items => ({ gone: items.filter(isChunk) }), large],
  ['whose chunk is cut', chunked(json({ tokenIds: [] }).subarray(0, 9)), large],
  ['whose chunk has no bytes', chunked(undefined), large],
  ['whose chunk says who sent it', chunked(json({ tokenIds: ['1'], quantities: ['1'], from: USER })), large],
  [
    'whose chunk has an id without a quantity',
    chunked(json({ tokenIds: large.tokenIds, quantities: large.quantities.slice(1) })),
    large,
  ],
  ['whose chunk is larger than was said', changed({ bytes: 20 }), large],
  ['with chunks without number', changed({ chunks: 1e12 }), large],
  ['with a number of chunks that is none', changed({ chunks: 'many' }), large],
]

const isFailure = ({ status }: HttpAnswer) => status === 500

/** A short run asks a third of the questions of each damage, by turns. */
const questionsOf = (damage: number) =>
  QUESTIONS.filter((_, question) => IS_LONG_RUN || (question + damage) % 3 === 0)

test.each(DAMAGES.map(([what, damage, damaged = target], index) => ({ what, damage, damaged, index })))(
  'a row $what fails every request for it with 500, and none in silence',
  async ({ damage, damaged, index }) => {
    const { table, ask: asking, takeFailure } = await setup(damage, damaged)
    const tally = { failed: 0, answered: 0 }
    for (const [, request] of questionsOf(index)) {
      const expected = validAnswer(RECORDS, request)
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

    const problems: string[] = []
    await verifyTable({ ...table, onProblem: ({ list, place }) => problems.push(`${list} / ${place}`) })
    expect(problems).not.toEqual([])
  },
)

test('the key of a corrupt row is told to whoever keeps the logs, and to nobody else', async () => {
  const { ask: asking, takeFailure } = await setup(without('blockHash'), target)
  const answer = await asking({ endpoint: 'user-events', address: USER, query: [] })

  const [{ place } = { place: '' }] = itemsOf(target).entries
  expect(answer.status).toBe(500)
  expect(answer.text).not.toContain(place)
  expect(takeFailure()?.message).toBe(`The row user#${USER}@base / ${place} does not fit the record model`)
})

test('an event in a list that is none of its own fails those who read that list', async () => {
  const stranger = `0x${'77'.repeat(20)}`
  const { ask: asking, takeFailure } = await setup(
    ([, , , , entry]) => ({
      put: [{ ...entry, list: `user#${stranger}@base`, userList: `user#${stranger}` }],
    }),
    target,
  )

  expect((await asking({ endpoint: 'user-events', address: stranger, query: [] })).status).toBe(500)
  expect(takeFailure()).toMatchObject({ code: 'corrupt-row' })
})

test('a corrupt row that is skipped counts as the event that stands there', async () => {
  const { ask: asking } = await setup(without('blockHash'), target)
  const request: ApiRequest = {
    endpoint: 'user-events',
    address: USER,
    query: [
      ['createdAt', 'desc'],
      ['skip', '2'],
    ],
  }
  const { events } = validAnswer(RECORDS, request)

  expect(events).toHaveLength(1)
  expect(await asking(request)).toMatchObject({ status: 200, body: events })
})
