import { type BusOptions, openBusDelivery } from './deliveries/bus-delivery.ts'
import type { Delivery } from './deliveries/delivery.ts'
import { openWebhookDelivery, type WebhookOptions } from './deliveries/webhook-delivery.ts'
import { serveSubscription } from './serve-subscription.ts'
import {
  createRunActivity,
  type PublisherClock,
  type ServedSubscription,
  type ServingContext,
  SYSTEM_CLOCK,
} from './serving-context.ts'
import type { Subscription, Target } from './subscription.ts'

export type DeliveryOptions = WebhookOptions & BusOptions

export interface PublishOptions extends Omit<ServingContext, 'activity' | 'delivery' | 'clock' | 'source'> {
  subscriptions: readonly Subscription[]
  delivery: DeliveryOptions
  source?: string | undefined
  clock?: PublisherClock | undefined
}

/**
 * Delivers the feed's changes to each subscription, in order and at least once. Subscriptions do not wait for each
 * other. If a run is killed, the next resumes with the same batch. A subscription's error is returned, not thrown.
 */
export async function publishChanges(options: PublishOptions): Promise<ServedSubscription[]> {
  const { subscriptions, clock = SYSTEM_CLOCK, source = '' } = options
  const activity = createRunActivity(subscriptions.map(({ name }) => name))
  return Promise.all(
    subscriptions.map(async subscription => {
      const delivery = openDelivery(subscription.target, options.delivery)
      try {
        return await serveSubscription(subscription, { ...options, activity, clock, source, delivery })
      } finally {
        activity.end(subscription.name)
        delivery.close()
      }
    }),
  )
}

const openDelivery = (target: Target, options: DeliveryOptions): Delivery =>
  target.kind === 'bus' ? openBusDelivery(target, options) : openWebhookDelivery(target, options)
