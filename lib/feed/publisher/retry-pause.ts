import { pauseMsAfter } from '../../client/create-patience.ts'

/**
 * The longest pause that a receiver may request. A longer pause is assumed to be a mistake, because it would in effect
 * end the subscription.
 */
export const LONGEST_ASKED_FOR_MS = 86_400_000

/**
 * The pause after `failures` failed attempts in a row. A pause that the receiver's `Retry-After` asks for replaces this
 * pause, unless it asks for none: without a pause, the publisher would send and store without end.
 */
export const retryPauseMs = (failures: number, askedForMs = 0): number =>
  askedForMs > 0 ? Math.min(askedForMs, LONGEST_ASKED_FOR_MS) : pauseMsAfter(failures)
