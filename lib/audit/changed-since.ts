import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { BEGINNING, compareByTime, endOfBlock, type Place } from '../events/place.ts'
import { countSchema } from '../events/record-fields.ts'
import type { NetworkTable } from '../store/event-table.ts'
import type { AuditedBlock } from '../store/format/checkpoint.ts'
import { readRevisions } from '../store/reading/read-revisions.ts'

/** What an audit knew about a table when the audit began. The audit does not cover later changes by other writers. */
export const auditedSinceSchema = z.object({
  /** The number of the newest known entry in the log of revisions, or 0 if the log was empty. */
  revision: countSchema,
  /**
   * The time of the entry `revision`, in Unix seconds. If the entry now has a different time, the log belongs to a
   * different table. Undefined if the log was empty, or if an earlier version stored the progress.
   */
  at: z.optional(countSchema),
  /**
   * Marks what the audit itself writes. Undefined in the function auditChain, and if an earlier version stored the
   * progress.
   */
  id: z.optional(z.string()),
  /** The lowest block with a difference that was recorded before the audit began, or by the audit itself. */
  differentBlock: z.optional(countSchema),
  /** The number of differences recorded before the audit began, plus those recorded by the audit itself. */
  differences: z.optional(countSchema),
})

export type AuditedSince = z.infer<typeof auditedSinceSchema>

/**
 * Returns the lowest place after which other writers have announced changes, or undefined if no change concerns blocks
 * up to `upTo`. Returns `BEGINNING` if entries of the log have expired or the log belongs to a different table.
 */
export async function changedSince(
  since: AuditedSince,
  { upTo, ...table }: NetworkTable & { upTo: Pick<AuditedBlock, 'blockNumber' | 'timestamp'> },
): Promise<Place | undefined> {
  const place = await lowestChange(since, table)
  const { blockNumber, timestamp: seconds } = upTo
  const end = endOfBlock({ seconds, blockNumber, network: table.network }, 'asc')
  return place !== undefined && compareByTime(place, end) < 0 ? place : undefined
}

async function lowestChange(
  { revision: seen, at: seenAt, id }: AuditedSince,
  { network, client, ...table }: NetworkTable,
): Promise<Place | undefined> {
  const log = { ...table, client: DynamoDBDocumentClient.from(client) }
  let [last, lowest]: [number | undefined, Place | undefined] = [undefined, undefined]
  // Reading starts at the known entry, whose time shows whether the log still belongs to the same table.
  for await (const { number, at, places, audit } of readRevisions(log, Math.max(1, seen))) {
    // DynamoDB deletes expired entries in any order, so a gap in the consecutive numbers can appear anywhere.
    if (number > (last ?? seen) + 1) return BEGINNING
    if (number === seen && seenAt !== undefined && at !== seenAt) return BEGINNING
    last = number
    const place = places[network]
    const isOwn = id !== undefined && audit === id
    if (number <= seen || isOwn || place === undefined) continue
    lowest = lowest === undefined || compareByTime(place, lowest) < 0 ? place : lowest
  }
  return last === undefined && seen > 0 ? BEGINNING : lowest
}
