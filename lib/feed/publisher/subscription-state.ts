import * as z from 'zod/mini'
import { parseJson } from '../../kit/parse-json.ts'
import type { Subscription } from './subscription.ts'

const countSchema = z.int().check(z.minimum(0))
const cursorsSchema = z.record(z.string(), z.string())

const pendingSchema = z.object({
  id: z.string(),
  body: z.string(),
  changes: countSchema,
  /** The cursors from which reading continues after the batch is accepted. */
  cursors: cursorsSchema,
})

/** Raise both versions whenever `stateSchema` changes, so that a publisher rejects states with another schema. */
const VERSION = 1
/**
 * The version of states for final events. An older publisher would expect one cursor per network, find none, and begin
 * again, so it must reject these states.
 */
const VERSION_OF_FINAL = 2

const stateSchema = z.object({
  version: z.literal([VERSION, VERSION_OF_FINAL]),
  /** The service, the setting `finalized` and the filters for which the cursors are valid. */
  scope: z.string(),
  /** The cursor of each lane. A lane is one network, or all networks together. */
  cursors: cursorsSchema,
  /** The batch that the receiver must accept before the next read. */
  pending: z.optional(pendingSchema),
  delivered: countSchema,
  /** The number of failed attempts to deliver the pending batch. */
  failures: countSchema,
  /** The earliest time of the next attempt, in milliseconds since 1970. */
  retryAt: countSchema,
  /** The moment up to which the receiver has accepted all changes, in milliseconds since 1970. */
  upToDateAt: countSchema,
  /** Why the subscription has ended permanently. Undefined if it has not. */
  ended: z.optional(z.string()),
})

export type SubscriptionState = z.infer<typeof stateSchema>
export type PendingBatch = z.infer<typeof pendingSchema>

/** Stores each subscription's state under the subscription's name, which must not contain `#`. */
export interface SubscriptionStates {
  /** Resolves with undefined if no state is stored. */
  read(name: string): Promise<string | undefined>
  /**
   * Stores a state atomically. Throws if another publisher has written a state since this publisher's last call. Can
   * throw `StateUnavailableError`.
   */
  write(name: string, state: string): Promise<void>
}

/** A state could not be stored, for example because the disk is full. It is safe to retry. */
export class StateUnavailableError extends Error {
  override readonly name = 'StateUnavailableError'
  readonly code = 'state-unavailable'

  constructor(cause: Error) {
    super(`The progress cannot be stored at the moment: ${cause.message}`, { cause })
  }
}

class SubscriptionChangedError extends Error {
  override readonly name = 'SubscriptionChangedError'
  readonly code = 'subscription-changed'

  constructor({ name }: Subscription) {
    super(
      `The subscription "${name}" was started with other filters or at another service, so its cursor is not valid here. Give the changed subscription another name (in npm run publish, another --state)`,
    )
  }
}

/** Throws `SubscriptionChangedError`, or an `Error` if the stored state is damaged or has an unknown version. */
export function readState(
  text: string | undefined,
  subscription: Subscription,
  { source, now }: { source: string; now: number },
): SubscriptionState {
  const scope = JSON.stringify([source, subscription.finalized, subscription.scope])
  if (text === undefined)
    return {
      version: subscription.finalized ? VERSION_OF_FINAL : VERSION,
      scope,
      cursors: {},
      delivered: 0,
      failures: 0,
      retryAt: 0,
      upToDateAt: now,
    }
  const { data } = stateSchema.safeParse(parseJson(text))
  if (!data)
    throw new Error(
      `The state of the subscription "${subscription.name}" is damaged, or another version wrote it. To start again, give the subscription another name (in npm run publish, another --state)`,
    )
  if (data.scope !== scope) throw new SubscriptionChangedError(subscription)
  return data
}
