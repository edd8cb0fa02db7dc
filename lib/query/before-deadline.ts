import { StoreUnavailableError } from './errors.ts'

/**
 * Runs work that reads from the store. Throws `StoreUnavailableError` if the work takes longer than `ms`. If the work
 * fails or takes too long, the signal aborts the calls in flight. Work that ignores the signal is not awaited.
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
