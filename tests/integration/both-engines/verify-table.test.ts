import { isDeepStrictEqual } from 'node:util'
import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { ItemProblem } from '../../../lib/ingest/verify/compare-items.ts'
import { verifyTable } from '../../../lib/ingest/verify/verify-table.ts'
import { type Item, itemsOf } from '../../../lib/store/format/event-items.ts'
import {
  CHECKPOINTS_LIST,
  DATA,
  INDEXES,
  LIST_KEY,
  listKey,
  PLACE_KEY,
} from '../../../lib/store/format/keys.ts'
import { recentBlocksList } from '../../../lib/store/writing/recent-blocks.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { longBatch, makeEvent } from '../../support/records/make-event.ts'
import { useStarted } from '../../support/runner/use-started.ts'
import {
  CHECKSUM_BYTES,
  flipped,
  rewritten,
  withFirstByte,
  without,
} from '../../support/store/damaged-items.ts'
import { useEngine } from '../../support/store/engine.ts'
import { localClient } from '../../support/store/local-client.ts'
import { itemKey } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()

const [first, ...rest] = eventSetOf({ blocks: 3, events: 2 }, 11) as [EventRecord, ...EventRecord[]]
/** An event that is stored in chunks, and whose block is earlier than all other blocks. */
const large = makeEvent('MintedBatch', {
  ...{ network: 'polygon', blockNumber: 1, createdAt: '2001-01-01T00:00:00.000Z' },
  ...longBatch(500),
})
const RECORDS = [first, ...rest, large]
const ITEMS = RECORDS.map(itemsOf).flatMap(({ chunks, entries }) => [...chunks, ...entries])

async function setup() {
  const tableName = await engine.createEventsTable(RECORDS)
  const { client, documents } = engine
  return {
    tableName,
    remove: (item: Item) => documents.send(new DeleteCommand({ TableName: tableName, Key: itemKey(item) })),
    put: (Item: Item) => documents.send(new PutCommand({ TableName: tableName, Item })),
    async verify() {
      const problems: ItemProblem[] = []
      const summary = await verifyTable({ client, tableName, onProblem: problem => problems.push(problem) })
      expect(summary.problems).toBe(problems.length)
      return { ...summary, problems }
    },
  }
}

const table = useStarted(setup)

test('finds nothing wrong with a table that this service has written', async () => {
  expect(await table.verify()).toEqual({ events: RECORDS.length, items: ITEMS.length, problems: [] })
})

test.each([
  ['a scan', 'ScanCommand'],
  ['the parts of a long event', 'BatchGetItemCommand'],
])('waits while the table is too busy for %s', async (_, busyCommand) => {
  const client = localClient(engine.endpoint)
  let refusals = 2
  client.middlewareStack.add(
    (next, { commandName }) =>
      async request => {
        if (commandName !== busyCommand || refusals === 0) return next(request)
        refusals -= 1
        throw new ProvisionedThroughputExceededException({ $metadata: {}, message: 'Too many reads' })
      },
    { step: 'initialize' },
  )

  const summary = await verifyTable({ client, tableName: table.tableName, onProblem: () => undefined })

  expect([refusals, summary.problems]).toEqual([0, 0])
  client.destroy()
})

const entryOf = (record: EventRecord, index: number) => itemsOf(record).entries[index] as Item

const otherHash = `0x${'ef'.repeat(32)}`
const STRANGER = `0x${'77'.repeat(20)}`
/** Changes the last byte of the size (a varint of three bytes), which comes right before the field's checksum. */
const withSize = (body: Buffer) => {
  const at = body.length - CHECKSUM_BYTES - 1
  body[at] = (body[at] ?? 0) ^ 1
  return body
}

const NO_EVENT = 'the item belongs to no event in the list of all events'
const itemOf = (list: string, place: string, more: object = {}): Item => ({
  ...{ [LIST_KEY]: list, [PLACE_KEY]: place },
  ...more,
})

test.each<[string, { put?: Item; remove?: Item }, message: string | RegExp, at?: Partial<ItemProblem>]>([
  [
    'an event that is missing from a list',
    { remove: entryOf(first, 2) },
    'the item is missing',
    { list: String(entryOf(first, 2)[LIST_KEY]), place: String(entryOf(first, 2)[PLACE_KEY]) },
  ],
  ['a list with an event that is missing from the list of all', { remove: entryOf(first, 0) }, NO_EVENT],
  ['a copy that differs', { put: { ...entryOf(first, 3), [DATA]: entryOf(first, 2)[DATA] } }, /must be/],
  ['a copy with a flipped bit', { put: flipped(-1)(entryOf(first, 3)) }, /must be/],
  ['a copy without data', { put: without(DATA)(entryOf(first, 3)) }, /must be/],
  ['a flipped bit in the list of all', { put: flipped(-1)(entryOf(first, 0)) }, /bytes of the item are/],
  ['an item of a newer program', { put: withFirstByte(0x20)(entryOf(first, 0)) }, /a newer program wrote it/],
  [
    'an event in a list that is none of its own',
    { put: { ...entryOf(first, 2), [LIST_KEY]: listKey({ of: 'user', address: STRANGER }, first.network) } },
    NO_EVENT,
  ],
  ['an index key of a list', { put: { ...entryOf(first, 2), [INDEXES.token.key]: 't00' } }, /must be/],
  ['a missing chunk', { remove: itemsOf(large).chunks[0] as Item }, /A chunk of the long field is missing/],
  ['a chunk of no event', { put: { ...(itemsOf(large).chunks[0] as Item), [PLACE_KEY]: '0009' } }, NO_EVENT],
  ['a wrong size in a response', { put: rewritten(withSize)(entryOf(large, 1)) }, /must be/],
  [
    'an event that breaks an invariant',
    { put: entryOf({ ...first, blockHash: otherHash, logIndex: first.logIndex + 1000 }, 0) },
    new RegExp(`another event has a different hash for block ${first.blockNumber}`),
  ],
  ['an attribute that no item has', { put: { ...entryOf(first, 0), extra: 1 } }, /must be/],
  [
    'a checkpoint that is none',
    { put: itemOf(CHECKPOINTS_LIST, 'base', { fence: 'one' }) },
    /is malformed/,
    { list: 'checkpoints', place: 'base' },
  ],
  ['an item of no known kind', { put: itemOf('notes', '1') }, NO_EVENT, { list: 'notes' }],
  [
    'an event of a block that is not the one on the chain',
    {
      put: itemOf(
        recentBlocksList(first.network),
        `${String(first.blockNumber).padStart(12, '0')}#${otherHash}`,
        {
          ...{ blockNumber: first.blockNumber, blockHash: otherHash, parentHash: otherHash },
          ...{ timestamp: 1, chunkLists: [] },
        },
      ),
    },
    /is not on the chain/,
  ],
])('tells of %s', async (_, damage, message, at = {}) => {
  const { put, remove, verify } = table
  if (damage.put) await put(damage.put)
  if (damage.remove) await remove(damage.remove)
  const { problems } = await verify()
  const key = itemKey(damage.put ?? damage.remove ?? {})
  const undamaged = ITEMS.find(item => isDeepStrictEqual(itemKey(item), key))
  await (undamaged ? put(undamaged) : remove(key))

  expect(problems).toContainEqual(expect.objectContaining({ ...at, message: expect.stringMatching(message) }))
})
