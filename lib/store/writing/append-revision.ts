import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Revision } from '../../events/revision.ts'
import { cutBatches } from '../event-table.ts'
import { LIST_KEY, PLACE_KEY, REVISIONS_LIST } from '../format/keys.ts'
import { EXPIRES, numberOf, REVISION, revisionKey } from '../format/revision-item.ts'
import type { PartitionTable } from '../reading/read-partition.ts'
import { isMet, tryAgain } from '../try-again.ts'
import { updateCommand } from '../update-command.ts'

/** How many days an entry is kept after the next entry is appended. Cursors that need the entry expire with it. */
export const DEFAULT_KEPT_DAYS = 30
/**
 * The maximum number of removed events in an entry. With this many, the entry takes 60 KB. DynamoDB allows 400 KB, but
 * readers fetch several entries at once.
 */
const MAX_REMOVED = 200
/**
 * Every request to the feed reads the newest entry, so this limit keeps the cost of the read at one read unit or less.
 */
const MAX_REMOVED_IN_NEWEST = 10
const SECONDS_PER_DAY = 86_400

export interface RevisionTable extends PartitionTable {
  keptDays?: number | undefined
}

/**
 * Appends a revision to the log, split into several entries if the revision removes many events. The numbers of entries
 * have no gaps, because a number is used only if the entry with the previous number can be read.
 */
export async function appendRevision(revision: Omit<Revision, 'at'>, table: RevisionTable): Promise<void> {
  const parts = cutBatches(revision.removed, MAX_REMOVED)
  const last = parts.at(-1)
  if (!last || last.length > MAX_REMOVED_IN_NEWEST) parts.push([])
  for (const removed of parts) await append({ ...revision, removed }, table)
}

async function append(revision: Omit<Revision, 'at'>, table: RevisionTable): Promise<void> {
  const { client, tableName, keptDays = DEFAULT_KEPT_DAYS } = table
  for (;;) {
    const entry = await readNewestEntry(table)
    const newest = entry ? numberOf(entry.place) : 0
    const at = Math.floor(Date.now() / 1000)
    const key = revisionKey(newest + 1)
    const text = JSON.stringify({ ...revision, at })
    const command = updateCommand({
      tableName,
      key,
      set: { [REVISION]: text },
      condition: `attribute_not_exists(#${PLACE_KEY})`,
    })
    // If the condition is not met, an earlier attempt whose response was lost may have stored this entry.
    if (!(await isMet(() => client.send(command), table)) && (await readText(key, table)) !== text) continue
    if (newest > 0) await letExpire(newest, { ...table, expires: at + keptDays * SECONDS_PER_DAY })
    return
  }
}

async function readText(
  Key: ReturnType<typeof revisionKey>,
  table: RevisionTable,
): Promise<string | undefined> {
  const command = new GetCommand({ TableName: table.tableName, Key, ConsistentRead: true })
  return (await tryAgain(() => table.client.send(command), table)).Item?.[REVISION]
}

/** Resolves with the entry in the form that `parseRevision` accepts, or with undefined if the log is empty. */
export async function readNewestEntry(
  table: RevisionTable,
): Promise<{ place: string; text: string | undefined } | undefined> {
  const { client, tableName } = table
  const command = new QueryCommand({
    TableName: tableName,
    KeyConditionExpression: '#list = :list',
    ProjectionExpression: '#place, #revision',
    ExpressionAttributeNames: { '#list': LIST_KEY, '#place': PLACE_KEY, '#revision': REVISION },
    ExpressionAttributeValues: { ':list': REVISIONS_LIST },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: 1,
  })
  const { Items: [newest] = [] } = await tryAgain(() => client.send(command), table)
  return newest && { place: newest[PLACE_KEY], text: newest[REVISION] }
}

/**
 * Sets the expiry time of an entry that is no longer the newest. The newest entry must not expire, because its number
 * determines the next entry's number. If a writer dies before this step, the entry never expires, which does no harm.
 */
async function letExpire(number: number, table: RevisionTable & { expires: number }): Promise<void> {
  const { client, tableName, expires } = table
  const command = updateCommand({
    tableName,
    key: revisionKey(number),
    set: { [EXPIRES]: expires },
    condition: `attribute_exists(#${PLACE_KEY})`,
  })
  await isMet(() => client.send(command), table)
}
