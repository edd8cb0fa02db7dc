import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { itemBytes } from '../../../lib/inspect/item-cost.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { CorruptRowError } from '../../../lib/query/errors.ts'
import { itemsOf, positionIn } from '../../../lib/store/format/event-items.ts'
import { DATA } from '../../../lib/store/format/keys.ts'
import { encodeItem, packRecord } from '../../../lib/store/format/record-codec.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { longBatch, makeEvent } from '../../support/records/make-event.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const SECONDS = Date.parse('2023-06-02T00:00:00Z') / 1000
const WRITE_UNIT_BYTES = 1024
const ALL_APART = { maxInlineBytes: 100, maxShortBytes: 100, chunkBytes: 100_000 }

const at = (second: number) => ({
  blockNumber: 10 + second,
  transactionHash: `0x${String(second).padStart(64, '0')}`,
  createdAt: new Date((SECONDS + second) * 1000).toISOString(),
})

const batch = (second: number, ids: number) =>
  makeEvent('TransferBatch', { ...at(second), ...longBatch(ids) })
const [ID] = longBatch(1).tokenIds as [string]

/**
 * An item in a token id's list takes one of three forms: with the event's ids, without ids, or with the ids in chunks.
 */
const records: EventRecord[] = [
  makeEvent('TransferSingle', { ...at(1), tokenIds: [ID], quantities: ['1'] }),
  batch(2, 5),
  batch(3, 60),
  batch(4, 600),
  makeEvent('Minted', { ...at(5), tokenId: ID, bucketHash: 'x'.repeat(1000) }),
  makeEvent('Minted', { ...at(6), tokenId: ID, bucketHash: 'x'.repeat(10_000) }),
  makeEvent('TransferSingle', { ...at(7), tokenIds: ['0'], quantities: ['1'] }),
]
const { address } = records[0] as EventRecord

async function setup(events: EventRecord[]) {
  const { documents, reader } = engine
  const tableName = await engine.createEventsTable(events)
  const store = createDynamoEventStore({ client: reader, tableName })
  return {
    tableName,
    ask: (query: Record<string, string>) =>
      answerQuery({ endpoint: 'token-events', parameters: Object.entries({ address, ...query }) }, { store }),
    put: (Item: object) => documents.send(new PutCommand({ TableName: tableName, Item })),
  }
}

const ofToken = (events: EventRecord[], id: string) =>
  events.filter(event =>
    ('tokenIds' in event ? event.tokenIds : 'tokenId' in event ? [event.tokenId] : []).includes(id),
  )

test('the events of an id are returned whole, however they are stored', async () => {
  const { ask } = await setup(records)
  const { records: found, cost } = await ask({ tokenId: ID, createdAt: 'asc' })

  expect(found).toEqual(ofToken(records, ID))
  // The first call reads the list, and the second reads all fields that are in chunks.
  expect(cost.calls).toBe(2)
})

test('an id is found among the rows of another list, too, and rows whose ids are elsewhere are looked into', async () => {
  const { ask } = await setup(records)
  for (const query of [{ transactionHash: at(4).transactionHash }, { blockNumber: '13' }]) {
    const expected = ofToken(records, ID).filter(record =>
      Object.entries(query).every(([name, value]) => String(record[name as 'blockNumber']) === value),
    )

    expect((await ask({ tokenId: ID, ...query })).records).toEqual(expected)
    expect((await ask({ tokenId: '77', ...query })).records).toEqual([])
  }
})

test('of a block full of large batches, as many as can be looked into at once are, and the others after them', async () => {
  const crowd = Array.from({ length: 12 }, (_, logIndex) =>
    makeEvent('TransferBatch', {
      ...at(1),
      logIndex,
      // Each record takes about 180 KB in a response, and is in the lists of two ids.
      tokenIds: [...Array.from({ length: 2000 }, () => ID), String(logIndex % 4)],
      quantities: Array.from({ length: 2001 }, () => '1'),
    }),
  )
  const { ask } = await setup(crowd)

  const { records: found, isPartial } = await ask({ tokenId: '3', blockNumber: '11', createdAt: 'asc' })

  expect(found).toEqual([crowd[3], crowd[7], crowd[11]])
  expect(isPartial).toBe(false)
})

test('every item of an id takes one write unit, and so does its index entry', () => {
  const ids = Array.from({ length: 14 }, (_, index) => String(2n ** 256n - 1n - BigInt(index)))
  for (const length of [1, 6, 7, 8, 14]) {
    const tokenIds = ids.slice(0, length)
    const event = makeEvent('TransferBatch', { tokenIds, quantities: tokenIds })
    const entries = itemsOf(event).entries.filter(({ t }) => /#\d/.test(String(t)))

    expect(entries).toHaveLength(length)
    for (const entry of entries) expect(itemBytes(entry)).toBeLessThanOrEqual(WRITE_UNIT_BYTES)
  }
})

test.each([2, 3])(
  'an item of an id whose event (%i) is just being removed, or replaced by one of another block, is left out',
  async index => {
    const orphan = records[index] as EventRecord
    const { put, tableName, ask } = await setup(records.filter(record => record !== orphan))
    const entry = itemsOf(orphan).entries.at(-1) ?? {}
    await put(entry)
    const { tokenIds } = orphan as typeof orphan & { tokenIds: string[] }
    const [id] = tokenIds.slice(-1) as [string]
    const before = await ask({ tokenId: id })
    const other = { ...orphan, blockHash: `0x${'ef'.repeat(32)}`, ...longBatch(59) } as EventRecord
    await writeEvents({ client: engine.client, tableName }, [other])

    for (const page of [before, await ask({ tokenId: id })]) {
      expect(page.records.map(record => record.id)).not.toContain(orphan.id)
    }
  },
)

test('an item of an id that finds no ids in the item of all fails the request', async () => {
  const record = records[2] as EventRecord
  const { put, ask } = await setup([record])
  const [inAll = {}] = itemsOf(record).entries
  // An item as from a writer that also moves shorter fields into chunks.
  const packed = packRecord(record, { ...ALL_APART, responseBytes: () => 5000 })
  const data = encodeItem(packed, positionIn({ of: 'all' }, placeOf(record)))
  await put({ ...inAll, [DATA]: data })

  await expect(ask({ tokenId: ID })).rejects.toThrow(CorruptRowError)
})
