import { StoreUnavailableError } from './errors.ts'

/**
 * Does work that waits for the store, and throws `StoreUnavailableError` when it takes longer than `ms`.
 * The signal ends what is still under way when the work has failed or its time is over; what doesn't heed
 * it is waited for no longer.
 */
export async function beforeDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = Number.isFinite(ms)
    ? setTimeout(
        () => reject(new StoreUnavailableError(new Error(`No answer within ${ms} ms`))),
        Math.max(0, ms),
      )
    : undefined
  try {
    return await Promise.race([work(stop.signal), deadline])
  } catch (error) {
    stop.abort(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
}
