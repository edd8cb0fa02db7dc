import * as z from 'zod/mini'
import { EVENT_KINDS } from './event-kinds.ts'
import { NETWORKS } from './networks.ts'
import type { EventRecord } from './record.ts'
import { addressSchema, countSchema, hashSchema } from './record-fields.ts'

/** A removed event, with its id, its block, and the values that decide whether the event is in a reader's scope. */
const removedEventSchema = z.object({
  id: z.string(),
  network: z.enum(NETWORKS),
  blockNumber: countSchema,
  blockHash: hashSchema,
  address: addressSchema,
  event: z.enum(EVENT_KINDS),
})

export type RemovedEvent = z.infer<typeof removedEventSchema>

export const removalOf = (record: EventRecord): RemovedEvent => removedEventSchema.parse(record)

/**
 * An entry in the log of revisions states that a network's events have changed after a place. For example, blocks have
 * left the chain, or a load may add events whose places come before those of stored events. Readers of the feed return
 * to the place and read the network again from there.
 */
export const revisionSchema = z.object({
  /** For each network, the place after which its events have changed. */
  places: z.partialRecord(z.enum(NETWORKS), z.string()),
  removed: z.array(removedEventSchema),
  /** Set in entries that announce a load. Until the load ends or dies, it may add events after `places`. */
  load: z.optional(z.object({ id: z.string(), hasEnded: z.boolean() })),
  /** In an entry for a repair, the id of the repairing audit, so that this audit recognises the entry as its own. */
  audit: z.optional(z.string()),
  /** When the entry was written, in Unix seconds, according to the writer's clock. */
  at: countSchema,
})

export type Revision = z.infer<typeof revisionSchema>

/** Numbers are assigned from 1 without gaps. Expired entries disappear, and their numbers are not used again. */
export interface NumberedRevision extends Revision {
  number: number
}

/** How long a load's announcement is valid. A running load renews the announcement in time, or stops writing. */
export const LOAD_ANNOUNCED_MS = 150_000
