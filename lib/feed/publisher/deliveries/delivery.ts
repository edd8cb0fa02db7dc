/** A batch is stored before its first attempt, so every attempt sends the same changes. */
export interface Batch {
  /** Unique to the batch, and the same in every attempt. */
  id: string
  /** The body of a webhook, as JSON. */
  body: string
  /** The number of the batch's first change. A subscription's changes are numbered from 1, in the order of sending. */
  firstNumber: number
}

/** The result of one attempt. `reason` is a sentence that contains no secrets. */
export type Outcome =
  | { is: 'accepted' }
  | { is: 'failed'; reason: string; retryAfterMs?: number | undefined }
  /** The receiver wants no further batches. */
  | { is: 'gone'; reason: string }

export interface Delivery {
  /** Makes one attempt. Throws only if the signal aborts. */
  deliver(batch: Batch, signal: AbortSignal): Promise<Outcome>
  close(): void
}
