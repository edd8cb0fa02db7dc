import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { EventTable } from '../../store/event-table.ts'
import { cutBytes } from '../../store/format/byte-reader.ts'
import { DATA, LIST_KEY, PLACE_KEY, SUBSCRIPTIONS_LIST } from '../../store/format/keys.ts'
import { eachItem, type PartitionTable } from '../../store/reading/read-partition.ts'
import { isMet, tryAgain } from '../../store/try-again.ts'
import type { SubscriptionStates } from './subscription-state.ts'

class SubscriptionTakenError extends Error {
  override readonly name = 'SubscriptionTakenError'
  readonly code = 'subscription-taken'

  constructor(name: string) {
    super(`Another publisher is serving the subscription ${name}: stop one of the two publishers`)
  }
}

/** The maximum size of a chunk in bytes: DynamoDB limits an item to 400 KB, including its keys. */
const MAX_CHUNK_BYTES = 358_400
/** `writing` is a random id of the write, and `chunks` is the number of further items with the rest of the state. */
const [WRITING, CHUNKS] = ['writing', 'chunks']

const zip = promisify(gzip)
const unzip = promisify(gunzip)

interface Writing {
  writing: string
  chunks: number
}

/** All calls can throw `TableBusyError`, and `write` can also throw `SubscriptionTakenError`. */
export function createSubscriptionStates({ client, tableName }: EventTable): SubscriptionStates {
  const table = { client: DynamoDBDocumentClient.from(client), tableName }
  const known = new Map<string, Writing>()

  return {
    async read(name) {
      const item = await readItem(name, table)
      known.delete(name)
      if (!item) return undefined
      const writing = writingOf(item)
      known.set(name, writing)
      const rest = await readChunks({ name, ...writing }, table)
      return (await unzip(Buffer.concat([bytesOf(item), ...rest]))).toString()
    },
    async write(name, text) {
      const before = known.get(name)
      const [first = Buffer.alloc(0), ...rest] = cutBytes(await zip(text), MAX_CHUNK_BYTES)
      const next = { writing: randomUUID(), chunks: rest.length }
      for (const [index, bytes] of rest.entries()) {
        const Item = { ...keyOf(chunkPlace({ name, ...next }, index)), [DATA]: bytes }
        await tryAgain(() => table.client.send(new PutCommand({ TableName: tableName, Item })), table)
      }
      const item = { ...keyOf(name), [WRITING]: next.writing, [CHUNKS]: next.chunks, [DATA]: first }
      if (!(await replaceWriting(before, item, table))) {
        await deleteChunks({ name, ...next }, table)
        throw new SubscriptionTakenError(name)
      }
      known.set(name, next)
      if (before && before.chunks > 0) await deleteChunks({ name, ...before }, table)
    },
  }
}

type StateItem = Record<string, unknown>

const keyOf = (place: string) => ({ [LIST_KEY]: SUBSCRIPTIONS_LIST, [PLACE_KEY]: place })

const chunkPlace = ({ name, writing }: Pick<Writing, 'writing'> & { name: string }, index: number) =>
  `${name}#${writing}#${String(index).padStart(4, '0')}`

const writingOf = (item: StateItem): Writing => ({
  writing: String(item[WRITING]),
  chunks: Number(item[CHUNKS]),
})

const bytesOf = (item: StateItem) => Buffer.from(item[DATA] as Uint8Array)

async function readItem(
  place: string,
  { client, tableName }: PartitionTable,
): Promise<StateItem | undefined> {
  const command = new GetCommand({ TableName: tableName, Key: keyOf(place), ConsistentRead: true })
  return (await tryAgain(() => client.send(command), { tableName })).Item
}

async function readChunks(
  { chunks, ...writing }: Writing & { name: string },
  table: PartitionTable,
): Promise<Buffer[]> {
  if (chunks === 0) return []
  const span = { first: chunkPlace(writing, 0), last: chunkPlace(writing, chunks - 1) }
  const found: Buffer[] = []
  for await (const item of eachItem(table, { list: SUBSCRIPTIONS_LIST, span })) found.push(bytesOf(item))
  return found
}

/** Stores nothing and resolves with false if the last stored write is not the write `before`. */
async function replaceWriting(
  before: Writing | undefined,
  item: StateItem,
  table: PartitionTable,
): Promise<boolean> {
  const command = new PutCommand({
    TableName: table.tableName,
    Item: item,
    ConditionExpression: before ? '#writing = :before' : 'attribute_not_exists(#writing)',
    ExpressionAttributeNames: { '#writing': WRITING },
    ...(before && { ExpressionAttributeValues: { ':before': before.writing } }),
  })
  if (await isMet(() => table.client.send(command), table)) return true
  // The condition may have failed because an earlier attempt of this request succeeded.
  return (await readItem(String(item[PLACE_KEY]), table))?.[WRITING] === item[WRITING]
}

async function deleteChunks(
  { chunks, ...writing }: Writing & { name: string },
  { client, tableName }: PartitionTable,
): Promise<void> {
  for (let index = 0; index < chunks; index += 1) {
    const command = new DeleteCommand({ TableName: tableName, Key: keyOf(chunkPlace(writing, index)) })
    await tryAgain(() => client.send(command), { tableName })
  }
}
