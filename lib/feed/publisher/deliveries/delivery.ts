/**
 * Changes that are sent together. The batch is stored before the first attempt, so every attempt sends the same
 * changes.
 */
export interface Batch {
  /** Unique to the batch, and the same at every attempt. */
  id: string
  /** The body of a webhook, as JSON. */
  body: string
  /** The number of the batch's first change. A subscription's changes are numbered in the order of sending, from 1. */
  firstNumber: number
}

/** The result of one attempt. `reason` is a sentence without secrets. */
export type Outcome =
  | { is: 'accepted' }
  | { is: 'failed'; reason: string; retryAfterMs?: number | undefined }
  /** The receiver refuses all further batches. */
  | { is: 'gone'; reason: string }

/** Delivers batches to one receiver. */
export interface Delivery {
  /** Makes one attempt to send the batch. Throws only if the signal is aborted. */
  deliver(batch: Batch, signal: AbortSignal): Promise<Outcome>
  /** Closes the remaining connections. */
  close(): void
}
