import type { Target } from '../subscription.ts'
import { type BusOptions, openBusDelivery } from './bus-delivery.ts'
import type { Delivery } from './delivery.ts'
import { openWebhookDelivery, type WebhookOptions } from './webhook-delivery.ts'

export type DeliveryOptions = WebhookOptions & BusOptions

/** Opens the delivery to a subscription's receiver. */
export const openDelivery = (target: Target, options: DeliveryOptions): Delivery =>
  target.kind === 'bus' ? openBusDelivery(target, options) : openWebhookDelivery(target, options)
