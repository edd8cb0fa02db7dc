import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { compareByTime, decodePlace, endOfBlock } from '../events/place.ts'
import type { EventTable } from '../store/event-table.ts'
import type { AuditProgress } from './audit-progress.ts'
import { changedSince } from './changed-since.ts'

/**
 * Returns a sentence if other writers have changed audited blocks since the audit began. For example, the network was
 * indexed again, or a load has added older events. What was compared before may then no longer hold.
 */
export async function doubtOfChanges(
  { plan: { network, source }, since, last }: AuditProgress,
  { table: { client, tableName }, signal }: { table: EventTable; signal: AbortSignal },
): Promise<string | undefined> {
  if (!since || !last) return undefined
  const table = { client: DynamoDBDocumentClient.from(client), tableName, network, signal }
  const place = await changedSince(since, table)
  const end = endOfBlock({ blockNumber: last.number, seconds: last.timestamp, network, logIndex: 0 }, 'asc')
  if (place === undefined || compareByTime(place, end) >= 0) return undefined
  const seconds = decodePlace(place)?.seconds
  const from =
    seconds === undefined ? 'from the first one on' : `after ${new Date(seconds * 1000).toISOString()}`
  return `${network}: events of ${source} ${from} were changed or indexed again since this audit began, so its findings may no longer hold. Begin a new audit (with another --state file)`
}
