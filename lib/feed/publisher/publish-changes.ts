import type { Delivery } from './deliveries/delivery.ts'
import { type DeliveryOptions, openDelivery } from './deliveries/open-delivery.ts'
import type { ServedSubscription } from './publish-observer.ts'
import { type PublisherClock, SYSTEM_CLOCK } from './publisher-clock.ts'
import { createRunActivity } from './run-activity.ts'
import { type ServingContext, serveSubscription } from './serve-subscription.ts'
import type { Subscription } from './subscription.ts'

export interface PublishOptions extends Omit<ServingContext, 'activity' | 'delivery' | 'clock' | 'source'> {
  subscriptions: readonly Subscription[]
  delivery: DeliveryOptions
  /** Identifies the service in stored states, because several services may share one state store. */
  source?: string | undefined
  clock?: PublisherClock | undefined
}

/**
 * Delivers the feed's changes to each subscription, in order and at least once. Subscriptions do not wait for each
 * other. If the process is killed, the next run resumes with the same batch. An error of a subscription is part of the
 * result, and is never thrown.
 */
export async function publishChanges(options: PublishOptions): Promise<ServedSubscription[]> {
  const { subscriptions, clock = SYSTEM_CLOCK, source = '' } = options
  const activity = createRunActivity(subscriptions.map(({ name }) => name))
  return Promise.all(
    subscriptions.map(async subscription => {
      const delivery: Delivery = openDelivery(subscription.target, options.delivery)
      try {
        return await serveSubscription(subscription, { ...options, activity, clock, source, delivery })
      } finally {
        activity.end(subscription.name)
        delivery.close()
      }
    }),
  )
}
