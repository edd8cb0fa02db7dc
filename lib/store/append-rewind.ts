import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Rewind } from '../events/rewind.ts'
import { cutBatches } from './cut-batches.ts'
import { LIST_KEY, PLACE_KEY, REWINDS_LIST } from './keys.ts'
import { EXPIRES, numberOf, REWIND, rewindKey } from './rewind-item.ts'
import { tryAgain } from './try-again.ts'

/** For so long an entry is kept once it is not the newest any more, and so is every cursor that was given out before. */
export const DEFAULT_KEPT_DAYS = 30
/** So many removed events make an entry of some 60 KB; DynamoDB takes 400, and who follows reads them page by page. */
const MAX_REMOVED = 200
/** Every turn of every reader reads the newest entry, so that one is kept to one read unit. */
const MAX_REMOVED_IN_NEWEST = 10
const SECONDS_PER_DAY = 86_400

export interface RewindTable {
  client: DynamoDBDocumentClient
  tableName: string
  keptDays?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Writes what happens into the log, as several entries where many events are removed, and resolves once all are stored.
 * Entries are numbered without a gap: a number is taken only when the one before it is there to be read. Writing one
 * twice, as after a lost answer, does no harm.
 */
export async function appendRewind(rewind: Omit<Rewind, 'at'>, table: RewindTable): Promise<void> {
  const parts = cutBatches(rewind.removed, MAX_REMOVED)
  const last = parts.at(-1)
  if (!last || last.length > MAX_REMOVED_IN_NEWEST) parts.push([])
  for (const removed of parts) await append({ ...rewind, removed }, table)
}

async function append(rewind: Omit<Rewind, 'at'>, table: RewindTable): Promise<void> {
  const { client, tableName, keptDays = DEFAULT_KEPT_DAYS } = table
  for (;;) {
    const newest = await readNewest(table)
    const at = Math.floor(Date.now() / 1000)
    const command = new UpdateCommand({
      TableName: tableName,
      Key: rewindKey(newest + 1),
      UpdateExpression: 'SET #rewind = :rewind',
      ConditionExpression: 'attribute_not_exists(#place)',
      ExpressionAttributeNames: { '#rewind': REWIND, '#place': PLACE_KEY },
      ExpressionAttributeValues: { ':rewind': JSON.stringify({ ...rewind, at }) },
    })
    if (!(await isMet(() => client.send(command), table))) continue
    if (newest > 0) await letExpire(newest, { ...table, expires: at + keptDays * SECONDS_PER_DAY })
    return
  }
}

/** The number of the newest entry; 0 where there is none. */
async function readNewest(table: RewindTable): Promise<number> {
  const { client, tableName } = table
  const command = new QueryCommand({
    TableName: tableName,
    KeyConditionExpression: '#list = :list',
    ProjectionExpression: '#place',
    ExpressionAttributeNames: { '#list': LIST_KEY, '#place': PLACE_KEY },
    ExpressionAttributeValues: { ':list': REWINDS_LIST },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: 1,
  })
  const { Items: [newest] = [] } = await tryAgain(() => client.send(command), table)
  return newest ? numberOf(newest[PLACE_KEY] as string) : 0
}

/**
 * Only an entry that others follow may go: the newest says how far the log has come. One that is left without a date,
 * by a writer that died here, stays, and does no harm.
 */
async function letExpire(number: number, table: RewindTable & { expires: number }): Promise<void> {
  const { client, tableName, expires } = table
  const command = new UpdateCommand({
    TableName: tableName,
    Key: rewindKey(number),
    UpdateExpression: 'SET #expires = :expires',
    ConditionExpression: 'attribute_exists(#place)',
    ExpressionAttributeNames: { '#expires': EXPIRES, '#place': PLACE_KEY },
    ExpressionAttributeValues: { ':expires': expires },
  })
  await isMet(() => client.send(command), table)
}

/** Sends a write with a condition; whether the condition was met. */
async function isMet(send: () => Promise<unknown>, table: RewindTable): Promise<boolean> {
  try {
    await tryAgain(send, table)
    return true
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false
    throw error
  }
}
