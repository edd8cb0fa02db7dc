import { isDeepStrictEqual } from 'node:util'
import { pauseMsAfter } from '../../client/create-outage-pauses.ts'
import { FeedUnavailableError } from './change-feed.ts'
import { readBatch } from './read-batch.ts'
import type { ServedSubscription, ServingContext } from './serving-context.ts'
import type { Subscription } from './subscription.ts'
import {
  type PendingBatch,
  readState,
  StateUnavailableError,
  type SubscriptionState,
} from './subscription-state.ts'

interface Serving extends ServingContext {
  subscription: Subscription
  state: SubscriptionState
  /** The state that the next run would find, or the initial state if none is stored. */
  stored: SubscriptionState
  storedAt: number
  delivered: number
  isUpToDate: boolean
  /**
   * The time at which this run read the pending batch. Undefined unless the batch then contained the feed's last
   * changes.
   */
  readAt: number | undefined
  /** The number of consecutive reads of the feed that have failed. */
  failedReads: number
}

/** The pause between reads of a feed without new changes: blocks arrive every few seconds. */
const POLL_MS = 5000
/** How often a subscription without new changes stores its cursors. */
const STORE_PLACE_EVERY_MS = 60_000
/**
 * How often an idle subscription stores that it is up to date, so that the next change's lag does not include the idle
 * time.
 */
const STORE_IDLE_EVERY_MS = 300_000
const EXPIRED =
  'Its cursor is too old for the log of removed events, or belongs to another table. Start again under another name (in npm run publish, with another --state), from the beginning and with an empty copy'

/** A request for a longer pause must be a receiver's mistake, because it would in effect end the subscription. */
const LONGEST_ASKED_FOR_MS = 86_400_000

/** A requested pause of zero is ignored, because the publisher would otherwise send and store without a pause. */
const retryPauseMs = (failures: number, askedForMs = 0): number =>
  askedForMs > 0 ? Math.min(askedForMs, LONGEST_ASKED_FOR_MS) : pauseMsAfter(failures)

/** Never throws. If an error occurs, the result contains it. */
export async function serveSubscription(
  subscription: Subscription,
  context: ServingContext,
): Promise<ServedSubscription> {
  const { states, clock, source, abort } = context
  const { name } = subscription
  let serving: Serving | undefined
  let error: Error | undefined
  try {
    const state = readState(await states.read(name), subscription, { source, now: clock.now() })
    serving = {
      ...context,
      subscription,
      state,
      stored: state,
      storedAt: 0,
      delivered: 0,
      isUpToDate: false,
      readAt: undefined,
      failedReads: 0,
    }
    const pauseMs = pauseLeftMs(state, clock.now())
    if (state.pending && pauseMs > 0)
      context.observer.paused?.({ subscription: name, batch: state.pending.id, pauseMs })
    await serve(serving)
  } catch (thrown) {
    if (!abort.aborted) error = thrown as Error
  }
  const { state, delivered = 0, isUpToDate = false } = serving ?? {}
  const { failures = 0, ended } = state ?? {}
  return {
    subscription: name,
    delivered,
    lagMs: state && clock.now() - state.upToDateAt,
    isUpToDate,
    failures,
    ended,
    error,
  }
}

async function serve(serving: Serving): Promise<void> {
  const { stop, abort } = serving
  try {
    let goesOn = true
    while (goesOn && !stop.aborted && serving.state.ended === undefined) {
      const { pending } = serving.state
      goesOn = pending ? await attempt(pending, serving) : await readOn(serving)
    }
  } finally {
    if (!abort.aborted) await storeProgress(serving)
  }
}

/** Makes one attempt to deliver the batch, or waits if no attempt is due. Resolves with true if the run continues. */
async function attempt(pending: PendingBatch, serving: Serving): Promise<boolean> {
  const { state, subscription, clock, once, abort, delivery, observer } = serving
  const pauseMs = pauseLeftMs(state, clock.now())
  if (pauseMs > 0) {
    // After the pause, the attempt is due even if the clock was set back meanwhile.
    serving.state = { ...state, retryAt: 0 }
    return rest(pauseMs, serving)
  }
  const told = { subscription: subscription.name, batch: pending.id }
  const outcome = await delivery.deliver({ ...pending, firstNumber: state.delivered + 1 }, abort)
  if (outcome.is === 'accepted') {
    const { cursors, changes } = pending
    const delivered = state.delivered + changes
    const { readAt: upToDateAt = state.upToDateAt } = serving
    // The acceptance is stored with the next write, which saves a separate write.
    serving.state = { ...state, cursors, delivered, pending: undefined, failures: 0, retryAt: 0, upToDateAt }
    serving.delivered += changes
    observer.delivered({ ...told, changes })
    return true
  }
  if (outcome.is === 'gone') {
    await store({ ...state, pending: undefined, ended: outcome.reason }, serving)
    return false
  }
  const { reason, retryAfterMs } = outcome
  const failures = state.failures + 1
  const nextPauseMs = retryPauseMs(failures, retryAfterMs)
  await store({ ...state, failures, retryAt: clock.now() + nextPauseMs }, serving)
  observer.failed({ ...told, failures, pauseMs: nextPauseMs, reason })
  return !once
}

function pauseLeftMs({ retryAt }: SubscriptionState, now: number): number {
  // No pause is longer than this maximum, so a later `retryAt` must have been stored while a clock was wrong.
  return retryAt - now <= LONGEST_ASKED_FOR_MS ? Math.max(0, retryAt - now) : 0
}

/**
 * Waits, and resolves with true if the run continues. A run with `once` ends when no subscription is at work. Until
 * then, a subscription that is up to date keeps reading, so that its next changes need not wait for the others.
 */
async function rest(ms: number, { once, stop, clock, activity, subscription }: Serving): Promise<boolean> {
  activity.end(subscription.name)
  await clock.sleep(ms, once ? AbortSignal.any([stop, activity.ended]) : stop)
  return !once || !activity.ended.aborted
}

/** Reads the next batch, and stores it before the first attempt. Resolves with true if the run continues. */
async function readOn(serving: Serving): Promise<boolean> {
  const { state, subscription, feed, clock, once, stop } = serving
  try {
    const { cursors } = state
    const readAt = clock.now()
    const next = await readBatch(subscription, { cursors, feed, now: clock.now, signal: stop })
    if (next === 'expired') {
      await store({ ...state, ended: EXPIRED }, serving)
      return false
    }
    const { pending, isUpToDate, isLast } = next
    serving.failedReads = 0
    serving.isUpToDate = isUpToDate
    if (pending) {
      serving.readAt = isLast ? readAt : undefined
      serving.activity.begin(subscription.name)
      await store({ ...state, pending }, serving)
      return true
    }
    serving.state = { ...state, cursors: next.cursors, ...(isUpToDate && { upToDateAt: clock.now() }) }
    await storePlace(serving)
    if (!isUpToDate) return true
  } catch (error) {
    if (stop.aborted) return false
    if (once || !(error instanceof FeedUnavailableError)) throw error
    await storeProgress(serving)
    serving.failedReads += 1
    if (serving.failedReads === 1)
      serving.observer.waiting({ subscription: subscription.name, reason: error.message })
    return rest(pauseMsAfter(serving.failedReads), serving)
  }
  return rest(POLL_MS, serving)
}

/** While the state cannot be stored, waits and retries, because a batch must be stored before it is sent. */
async function store(state: SubscriptionState, serving: Serving): Promise<void> {
  const { states, subscription, clock, once, stop, observer } = serving
  const { name } = subscription
  serving.state = state
  for (let failures = 1; serving.stored !== state; failures += 1) {
    try {
      await states.write(name, JSON.stringify(state))
      serving.stored = state
    } catch (error) {
      if (once || stop.aborted || !(error instanceof StateUnavailableError)) throw error
      if (failures === 1) observer.waiting({ subscription: name, reason: error.message })
      await clock.sleep(pauseMsAfter(failures), stop)
    }
  }
  serving.storedAt = clock.now()
}

/** Stores the progress, so that the next run repeats no accepted batch and reads no page again. */
async function storeProgress(serving: Serving): Promise<void> {
  const { state, stored } = serving
  if (state.pending) return
  const isIdleLong = state.upToDateAt - stored.upToDateAt >= STORE_IDLE_EVERY_MS
  if (stored.pending || isIdleLong || !isDeepStrictEqual(state.cursors, stored.cursors))
    await store(state, serving)
}

async function storePlace(serving: Serving): Promise<void> {
  const { stored, storedAt, clock } = serving
  // The difference is negative if the clock was set back after the last write.
  if (stored.pending || Math.abs(clock.now() - storedAt) >= STORE_PLACE_EVERY_MS) await storeProgress(serving)
}
