import { createDynamoChangeStore } from '../../../lib/feed/dynamo-change-store.ts'
import { type ChangeFeed, createTableFeed } from '../../../lib/feed/publisher/change-feed.ts'
import { type PublishOptions, publishChanges } from '../../../lib/feed/publisher/publish-changes.ts'
import type { PublishObserver, ServedSubscription } from '../../../lib/feed/publisher/serving-context.ts'
import { parseSubscriptions, type Subscription } from '../../../lib/feed/publisher/subscription.ts'
import type { SubscriptionStates } from '../../../lib/feed/publisher/subscription-state.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { createFastClock } from './fast-clock.ts'
import { SECRET } from './receiver.ts'

export const SILENT: PublishObserver = {
  delivered: () => undefined,
  failed: () => undefined,
  waiting: () => undefined,
}

export const feedOf = (table: EventTable): ChangeFeed =>
  createTableFeed({ store: createDynamoEventStore(table), changeStore: createDynamoChangeStore(table) })

/** A webhook gets the secret of the test receivers. Throws if the subscription is invalid. */
export function subscriptionOf(given: { to: string; [key: string]: unknown }): Subscription {
  const { subscriptions, problems } = parseSubscriptions(
    [{ name: 'test', ...(given.to.startsWith('http') && { secret: SECRET }), ...given }],
    { allowLoopback: true },
  )
  const [subscription] = subscriptions
  if (!subscription) throw new Error(problems.join('; '))
  return subscription
}

export function statesInMemory(): SubscriptionStates & { texts: Map<string, string> } {
  const texts = new Map<string, string>()
  return {
    texts,
    read: async name => texts.get(name),
    write: async (name, text) => void texts.set(name, text),
  }
}

interface RunOptions extends Partial<PublishOptions> {
  feed: ChangeFeed
  /** The receiver of everything from the beginning. Required unless there are `subscriptions`. */
  to?: string
}

/** Runs the publisher until everything is delivered or an attempt has failed. */
export function publishOnce({ to = '', ...options }: RunOptions): Promise<ServedSubscription[]> {
  return publishChanges({
    subscriptions: options.subscriptions ?? [subscriptionOf({ to, from: 'beginning' })],
    states: statesInMemory(),
    // A slow machine never reaches this time limit.
    delivery: { allowLoopback: true, timeoutMs: 600_000 },
    observer: SILENT,
    once: true,
    stop: new AbortController().signal,
    abort: new AbortController().signal,
    clock: createFastClock(),
    ...options,
  })
}

/** Runs the publisher through all outages until its first delivery. */
export async function publishUntilDelivered(options: RunOptions) {
  const stop = new AbortController()
  const troubles: string[] = []
  const observer: PublishObserver = {
    ...SILENT,
    waiting: ({ reason }) => troubles.push(reason),
    delivered: () => stop.abort(),
  }
  const [served] = await publishOnce({ observer, once: false, stop: stop.signal, ...options })
  return { served, troubles }
}
