const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 300_000
/**
 * The longest pause that a receiver may request. A longer pause is assumed to be a mistake, because it would in effect
 * end the subscription.
 */
const LONGEST_ASKED_FOR_MS = 86_400_000

/**
 * The pause after `failures` failed attempts in a row. A pause that the receiver's `Retry-After` asks for replaces this
 * pause, unless it asks for none: without a pause, the publisher would send and store without end.
 */
export function pauseMsAfter(failures: number, askedForMs?: number): number {
  if (askedForMs !== undefined && askedForMs > 0) return Math.min(askedForMs, LONGEST_ASKED_FOR_MS)
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
  // Spreads the retries of subscriptions that failed at the same time.
  return Math.round(pauseMs * (0.8 + Math.random() * 0.2))
}
