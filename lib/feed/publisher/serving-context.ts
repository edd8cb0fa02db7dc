import { setTimeout } from 'node:timers/promises'
import type { ChangeFeed } from './change-feed.ts'
import type { Delivery } from './deliveries/delivery.ts'
import type { SubscriptionStates } from './subscription-state.ts'

export interface ServingContext {
  activity: ReturnType<typeof createRunActivity>
  feed: ChangeFeed
  states: SubscriptionStates
  delivery: Delivery
  observer: PublishObserver
  /**
   * Whether the run ends as soon as no subscription has a change to deliver, without waiting for subscriptions whose
   * last attempt failed. If false, the run continues until a signal aborts or the subscription has ended.
   */
  once: boolean
  /** Ends the run before the next delivery attempt. */
  stop: AbortSignal
  /** Ends the run and aborts the current attempt. The next run sends the batch again. */
  abort: AbortSignal
  clock: PublisherClock
  /** Identifies the service in stored states, because several services may share a state store. */
  source: string
}

/** Receives the publisher's events, for log lines and metrics. The events contain no secrets. */
export interface PublishObserver {
  delivered(told: { subscription: string; batch: string; changes: number }): void
  /** The next attempt follows after `pauseMs`. */
  failed(told: {
    subscription: string
    batch: string
    failures: number
    pauseMs: number
    reason: string
  }): void
  /** The run begins during the pause after an earlier run's failed attempt. */
  paused?(told: { subscription: string; batch: string; pauseMs: number }): void
  /** The feed or the state store is temporarily unavailable. Called once per outage. */
  waiting(told: { subscription: string; reason: string }): void
}

export interface ServedSubscription {
  subscription: string
  delivered: number
  /**
   * The time since the moment up to which the receiver has accepted all changes. Undefined if the state cannot be read.
   */
  lagMs: number | undefined
  isUpToDate: boolean
  /** The number of consecutive failed attempts. */
  failures: number
  ended: string | undefined
  error: Error | undefined
}

/**
 * Tracks which subscriptions of a run are at work, which means that they deliver changes or catch up with the feed.
 * When the run starts, all of them are at work.
 */
export function createRunActivity(subscriptions: readonly string[]) {
  const ended = new AbortController()
  const atWork = new Set(subscriptions)
  return {
    /** Aborts as soon as no subscription is at work. */
    ended: ended.signal,
    begin: (subscription: string) => void atWork.add(subscription),
    end(subscription: string) {
      atWork.delete(subscription)
      if (atWork.size === 0) ended.abort()
    },
  }
}

/** A wall clock, because another process may read the stored end of a pause. */
export interface PublisherClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const SYSTEM_CLOCK: PublisherClock = {
  now: Date.now,
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
}
