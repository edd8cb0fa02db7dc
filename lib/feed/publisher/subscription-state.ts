import * as z from 'zod/mini'
import { parseJson } from '../../client/send.ts'
import type { Subscription } from './subscription.ts'

const countSchema = z.int().check(z.minimum(0))
const cursorsSchema = z.record(z.string(), z.string())

const pendingSchema = z.object({
  id: z.string(),
  body: z.string(),
  /** The number of changes in the body. */
  changes: countSchema,
  /** The feed's cursors once the batch is accepted. */
  cursors: cursorsSchema,
})

/** Raise the versions with every change of `stateSchema`. A state of an unknown version is rejected. */
const VERSION = 1
/**
 * The version of subscriptions to final events that have one cursor for all networks. Publishers that know only version
 * 1 look for a cursor of each network, and would begin again without one.
 */
const VERSION_OF_FINAL = 2

const stateSchema = z.object({
  version: z.literal([VERSION, VERSION_OF_FINAL]),
  /** The service and the filters for which the cursors are valid. */
  scope: z.string(),
  /** The feed's cursor of each lane: of one network, or of all networks together. */
  cursors: cursorsSchema,
  /** The batch that the receiver must accept before the next read. */
  pending: z.optional(pendingSchema),
  /** The number of accepted changes. */
  delivered: countSchema,
  /** The number of failed attempts with the pending batch. */
  failures: countSchema,
  /** The earliest time of the next attempt, in milliseconds since 1970. */
  retryAt: countSchema,
  /** The last time at which no change was left to deliver, in milliseconds since 1970. */
  upToDateAt: countSchema,
  /** The reason why the subscription has ended for good. */
  ended: z.optional(z.string()),
})

export type SubscriptionState = z.infer<typeof stateSchema>
export type PendingBatch = z.infer<typeof pendingSchema>

/** Stores the states of subscriptions, each under the subscription's name, which has no `#`. */
export interface SubscriptionStates {
  /** Undefined if no state is stored. */
  read(name: string): Promise<string | undefined>
  /** Stores a state atomically. Throws if another publisher has written the state since `read`. */
  write(name: string, state: string): Promise<void>
}

/** The stored state belongs to another service, or to a subscription with other filters. */
class SubscriptionChangedError extends Error {
  override readonly name = 'SubscriptionChangedError'
  readonly code = 'subscription-changed'

  constructor({ name }: Subscription) {
    super(
      `The subscription ${name} was started with other filters or at another service, so its cursor is not valid here. Give the changed subscription another name (in npm run publish, another --state)`,
    )
  }
}

interface StateOptions {
  /** Identifies the service in stored states, because several services may share one state store. */
  source: string
  now: number
}

/**
 * Parses the stored state of a subscription. Returns a new state if none is stored. Throws `SubscriptionChangedError`,
 * or an `Error` if the text is damaged or of another version.
 */
export function readState(
  text: string | undefined,
  subscription: Subscription,
  { source, now }: StateOptions,
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
      `The state of the subscription ${subscription.name} is damaged or of another version. To begin again, give the subscription another name (in npm run publish, another --state)`,
    )
  if (data.scope !== scope) throw new SubscriptionChangedError(subscription)
  return data
}
