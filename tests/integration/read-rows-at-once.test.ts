import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type { Callback, Internals, Item, QueryTable, Range, Reading, Store } from 'dynalite/db'
import { readRowsAtOnce } from '../../infra/local/engine/read-rows-at-once.ts'

const require = createRequire(import.meta.url)

const TABLE = { KeySchema: [{ AttributeName: 'list' }, { AttributeName: 'place' }] }
const KEYS = ['list', 'place']
const db = require('dynalite/db') as Internals
const own = db.queryTable
let store: Store

beforeAll(async () => {
  readRowsAtOnce()
  store = db.create({})
  await store.db.open()
  const homes = [store.getItemDb('events'), store.getIndexDb('Global', 'events', 'byUser')]
  for (const [home, into] of homes.entries()) {
    const put = promisify(into.put.bind(into))
    for (let at = 0; at < 30; at += 1) await put(`a/${at + 10}`, itemAt(at, home === 0 ? 100 : 300))
    // These items are together larger than a page of DynamoDB.
    for (let at = 0; at < 12; at += 1) await put(`b/${at + 10}`, itemAt(at, 100_000))
  }
  const others = [store.getItemDb('events2'), store.getIndexDb('Local', 'events', 'byUser')]
  for (const into of others) await promisify(into.put.bind(into))('a/15', itemAt(5, 10))
})
afterAll(() => store.db.close())

const itemAt = (at: number, bytes: number): Item => ({
  list: { S: 'a' },
  place: { S: String(at + 10) },
  half: { BOOL: at % 2 === 0 },
  data: { B: Buffer.alloc(bytes, at).toString('base64') },
})

interface Asked {
  reading: Partial<Reading>
  range: Range & { limit?: number }
  isLocal?: boolean
}

const readWith = (queryTable: QueryTable, { reading, range, isLocal }: Asked) =>
  new Promise((resolve, reject) => {
    const callback: Callback = (error, result) => (error ? reject(error) : resolve(result))
    queryTable(store, TABLE, { TableName: 'events', ...reading }, range, isLocal, false, KEYS, callback)
  })

const LIST = { gte: 'a/', lt: 'a/~' }
const LONG = { gte: 'b/', lt: 'b/~' }
const COSTS = { ReturnConsumedCapacity: 'TOTAL' } as const
const isHalf = { type: '=', args: [['half'], { BOOL: true }] }
const IS_TRUE = { ComparisonOperator: 'EQ', AttributeValueList: [{ BOOL: true }] }

test.each<[string, Asked]>([
  ['a list', { reading: {}, range: LIST }],
  ['a list backwards', { reading: {}, range: { ...LIST, reverse: true } }],
  ['a part of a list', { reading: {}, range: { gte: 'a/12', lte: 'a/14' } }],
  ['what comes after a row', { reading: { Limit: 3 }, range: { gt: 'a/12', lt: 'a/~', limit: 4 } }],
  [
    'what is before a row',
    { reading: { Limit: 3 }, range: { gte: 'a/', lt: 'a/20', reverse: true, limit: 4 } },
  ],
  ['one row', { reading: { Limit: 1 }, range: { ...LIST, limit: 2 } }],
  ['as many rows as there are', { reading: { Limit: 30 }, range: { ...LIST, limit: 31 } }],
  ['fewer rows than are asked for', { reading: { Limit: 31 }, range: { ...LIST, limit: 32 } }],
  ['nothing', { reading: { Limit: 5, ...COSTS }, range: { gte: 'c/', lt: 'c/~', limit: 6 } }],
  ['everything, as a Scan does', { reading: { Limit: 33 }, range: { limit: 34 } }],
  ['a megabyte', { reading: COSTS, range: LONG }],
  ['a megabyte of more rows', { reading: { Limit: 12, ...COSTS }, range: { ...LONG, limit: 13 } }],
  ['a number of rows', { reading: { Select: 'COUNT', Limit: 2 ** 31 - 1 }, range: LIST }],
  ['a filter', { reading: { Limit: 7, _filter: { expression: isHalf } }, range: { ...LIST, limit: 8 } }],
  ['a filter of the older kind', { reading: { QueryFilter: { half: IS_TRUE } }, range: LIST }],
  ['some attributes', { reading: { _projection: { paths: [['place'], ['half']] } }, range: LIST }],
  ['some attributes of the older kind', { reading: { AttributesToGet: ['place'] }, range: LIST }],
  ['the cost of each index', { reading: { ReturnConsumedCapacity: 'INDEXES' }, range: LIST }],
  ['an index', { reading: { IndexName: 'byUser', ...COSTS }, range: LIST }],
  ['a local index', { reading: { IndexName: 'byUser', ...COSTS }, range: LIST, isLocal: true }],
  ['the cost of a consistent read', { reading: { ConsistentRead: true, ...COSTS }, range: LIST }],
])('rows that are read at once are those that dynalite reads one by one: %s', async (_, asked) => {
  const expected = JSON.parse(JSON.stringify(await readWith(own, asked)))

  expect(JSON.parse(JSON.stringify(await readWith(db.queryTable, asked)))).toEqual(expected)
})
