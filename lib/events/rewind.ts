import * as z from 'zod/mini'
import { EVENT_KINDS } from './event-kinds.ts'
import { addressSchema, countSchema, hashSchema } from './field-schemas.ts'
import { NETWORKS } from './networks.ts'

/** An event that has left its chain: what names it, and what tells whether somebody has asked for it. */
const removedEventSchema = z.object({
  id: z.string(),
  network: z.enum(NETWORKS),
  blockNumber: countSchema,
  blockHash: hashSchema,
  address: addressSchema,
  event: z.enum(EVENT_KINDS),
})

export type RemovedEvent = z.infer<typeof removedEventSchema>

/**
 * Something that happens to events other than that one is added behind all others of its network. Whoever follows a
 * network goes back to the place and reads on from there; the events that are removed are no longer behind it.
 */
export const rewindSchema = z.object({
  /** By network, the place behind which there are other events than before. */
  places: z.partialRecord(z.enum(NETWORKS), z.string()),
  removed: z.array(removedEventSchema),
  /** Of a load: events may still be added behind the places until it has ended, or died. */
  load: z.optional(z.object({ id: z.string(), hasEnded: z.boolean() })),
  /** When it was written, in Unix seconds by the writer's clock. */
  at: countSchema,
})

export type Rewind = z.infer<typeof rewindSchema>

/** An announcement holds for so long: a load makes the next one before, or writes nothing more. */
export const LOAD_ANNOUNCED_MS = 150_000
