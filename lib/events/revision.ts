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

/** An event as an entry lists it among the removed events. */
export const removalOf = (record: EventRecord): RemovedEvent => removedEventSchema.parse(record)

/**
 * An entry of the log of revisions says that a network's events have changed after a place. Either blocks have left the
 * chain, or a load may add events whose places come before stored events. A reader of the feed goes back to the place
 * and reads the network from there again.
 */
export const revisionSchema = z.object({
  /** For each network, the place after which its events have changed. */
  places: z.partialRecord(z.enum(NETWORKS), z.string()),
  removed: z.array(removedEventSchema),
  /**
   * Only set in entries that announce a load or its end. Until the load ends or dies, it may add further events after
   * `places`.
   */
  load: z.optional(z.object({ id: z.string(), hasEnded: z.boolean() })),
  /** When the entry was written, in Unix seconds by the writer's clock. */
  at: countSchema,
})

export type Revision = z.infer<typeof revisionSchema>

/** An entry of the log of revisions. Numbers begin with 1 and have no gaps, although old entries expire. */
export interface NumberedRevision extends Revision {
  number: number
}

/** How long a load's announcement is valid. A running load renews its announcement in time, or stops writing. */
export const LOAD_ANNOUNCED_MS = 150_000
