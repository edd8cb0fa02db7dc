import {
  type AttributeValue,
  BatchWriteItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()

type Item = Record<string, AttributeValue>

const itemAt = (place: string, more: Item = {}): Item => ({ l: { S: 'all@base' }, p: { S: place }, ...more })

async function setup() {
  const tableName = await engine.createEventsTable()
  const write = (requests: { put?: Item; remove?: Item }[]) =>
    engine.client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [tableName]: requests.map(({ put, remove }) =>
            put ? { PutRequest: { Item: put } } : { DeleteRequest: { Key: remove } },
          ),
        },
      }),
    )
  const byTransaction = async (hash: string) => {
    const { Items = [] } = await engine.client.send(
      new QueryCommand({
        ...{ TableName: tableName, IndexName: 'byTransaction', KeyConditionExpression: 'x = :x' },
        ExpressionAttributeValues: { ':x': { S: hash } },
      }),
    )
    return Items
  }
  const all = async () =>
    (await engine.client.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }))).Items ?? []
  return { write, byTransaction, all }
}

test('an item that is overwritten or removed has no old entries in the indexes', async () => {
  const { write, all, byTransaction } = await setup()
  await write(['1', '2', '3'].map(place => ({ put: itemAt(place, { x: { S: 'before' } }) })))

  const moved = itemAt('1', { x: { S: 'after' } })
  const gone = itemAt('2')
  await write([{ put: moved }, { put: gone }, { remove: itemAt('3') }])

  expect(await byTransaction('before')).toEqual([])
  expect(await byTransaction('after')).toEqual([moved])
  expect(await all()).toEqual([moved, gone])
})

test('batches of the same items at once leave one of each, with its index entries', async () => {
  const { write, all, byTransaction } = await setup()
  const writers = ['a', 'b', 'c', 'd']

  await Promise.all(
    writers.map(writer =>
      write(['1', '2', '3'].map(place => ({ put: itemAt(place, { x: { S: writer } }) }))),
    ),
  )

  const stored = await all()
  expect(stored).toHaveLength(3)
  const indexed = await Promise.all(writers.map(byTransaction))
  expect(indexed.flat().toSorted((a, b) => (String(a.p?.S) < String(b.p?.S) ? -1 : 1))).toEqual(stored)
})

test.each<[string, { put?: Item }[], RegExp]>([
  ['a key twice', [{ put: itemAt('1') }, { put: itemAt('1', { x: { S: 'y' } }) }], /duplicates/],
  ['an item without its key', [{ put: { l: { S: 'all@base' } } }], /key/i],
  ['a key of an index of another type', [{ put: itemAt('1', { x: { N: '1' } }) }], /type/i],
])('refuses %s, and stores nothing', async (_, requests, message) => {
  const { write, all } = await setup()

  await expect(write([{ put: itemAt('0') }, ...requests])).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringMatching(message),
  })
  expect(await all()).toEqual([])
})
