import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { EventTable } from '../../store/event-table.ts'
import { cutBytes } from '../../store/format/byte-reader.ts'
import { DATA, LIST_KEY, PLACE_KEY, SUBSCRIPTIONS_LIST } from '../../store/format/keys.ts'
import { eachItem, type PartitionTable } from '../../store/reading/read-partition.ts'
import { isMet, TableBusyError, tryAgain } from '../../store/try-again.ts'
import { StateUnavailableError, type SubscriptionStates } from './subscription-state.ts'

class SubscriptionTakenError extends Error {
  override readonly name = 'SubscriptionTakenError'
  readonly code = 'subscription-taken'

  constructor(name: string) {
    super(`Another publisher is serving the subscription "${name}": stop one of the two publishers`)
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

/** `read` can throw `TableBusyError`, and `write` can throw `StateUnavailableError` or `SubscriptionTakenError`. */
export function createSubscriptionStates({ client, tableName }: EventTable): SubscriptionStates {
  const table = { client: DynamoDBDocumentClient.from(client), tableName }
  /** The last write that is known to be stored, if there is one, and all later writes, which may also be stored. */
  const known = new Map<string, readonly (Writing | undefined)[]>()

  async function write(name: string, text: string) {
    const before = known.get(name) ?? [undefined]
    const [first = Buffer.alloc(0), ...rest] = cutBytes(await zip(text), MAX_CHUNK_BYTES)
    const next = { writing: randomUUID(), chunks: rest.length }
    const writings = [...before, next]
    known.set(name, writings)
    for (const [index, bytes] of rest.entries()) {
      const Item = { ...keyOf(chunkPlace({ name, ...next }, index)), [DATA]: bytes }
      await tryAgain(() => table.client.send(new PutCommand({ TableName: tableName, Item })), table)
    }
    const item = { ...keyOf(name), [WRITING]: next.writing, [CHUNKS]: next.chunks, [DATA]: first }
    if (!(await replaceWriting(writings, item, table))) {
      await deleteChunks({ name, ...next }, table)
      throw new SubscriptionTakenError(name)
    }
    known.set(name, [next])
    for (const each of before) if (each) await deleteChunks({ name, ...each }, table)
  }

  return {
    async read(name) {
      const item = await readItem(name, table)
      known.set(name, [item && writingOf(item)])
      if (!item) return undefined
      const rest = await readChunks({ name, ...writingOf(item) }, table)
      return (await unzip(Buffer.concat([bytesOf(item), ...rest]))).toString()
    },
    async write(name, text) {
      try {
        await write(name, text)
      } catch (error) {
        throw error instanceof TableBusyError ? new StateUnavailableError(error) : error
      }
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

/**
 * Stores nothing and resolves with false if the stored write is none of `writings`. These include the new write itself,
 * because an earlier attempt may have stored it.
 */
function replaceWriting(
  writings: readonly (Writing | undefined)[],
  item: StateItem,
  table: PartitionTable,
): Promise<boolean> {
  const values = Object.fromEntries(
    writings.flatMap((each, index) => (each ? [[`:w${index}`, each.writing]] : [])),
  )
  const isKnown = `#writing IN (${Object.keys(values)})`
  const command = new PutCommand({
    TableName: table.tableName,
    Item: item,
    ConditionExpression: writings.includes(undefined)
      ? `attribute_not_exists(#writing) OR ${isKnown}`
      : isKnown,
    ExpressionAttributeNames: { '#writing': WRITING },
    ExpressionAttributeValues: values,
  })
  return isMet(() => table.client.send(command), table)
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
