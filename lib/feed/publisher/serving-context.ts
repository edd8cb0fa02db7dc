import { setTimeout } from 'node:timers/promises'
import type { ChangeFeed } from './change-feed.ts'
import type { Delivery } from './deliveries/delivery.ts'
import type { SubscriptionStates } from './subscription-state.ts'

/** What a run of the publisher gives to each of its subscriptions. */
export interface ServingContext {
  /** The activity of all subscriptions of the run. */
  activity: RunActivity
  feed: ChangeFeed
  states: SubscriptionStates
  delivery: Delivery
  observer: PublishObserver
  /**
   * Whether the run ends as soon as no subscription has a change to deliver. It does not wait for subscriptions whose
   * attempt has failed. If false, the run continues until a signal or the end of the subscription.
   */
  once: boolean
  /** Ends the run before the next attempt. */
  stop: AbortSignal
  /** Ends the run and aborts the current attempt. The next run sends the batch again. */
  abort: AbortSignal
  clock: PublisherClock
  /** Identifies the service in stored states, because several services may share one state store. */
  source: string
}

/** Receives the publisher's events, for log lines and metrics. The events contain no secrets. */
export interface PublishObserver {
  /** A receiver has accepted a batch. */
  delivered(told: { subscription: string; batch: string; changes: number }): void
  /** An attempt has failed. The next attempt follows after `pauseMs`. */
  failed(told: {
    subscription: string
    batch: string
    failures: number
    pauseMs: number
    reason: string
  }): void
  /** The feed is unavailable at the moment. Called once per outage. */
  waiting(told: { subscription: string; reason: string }): void
}

/** The state of a subscription after a run. */
export interface ServedSubscription {
  subscription: string
  /** The number of changes that this run has delivered. */
  delivered: number
  /** The time since the subscription was last up to date. */
  lagMs: number
  isUpToDate: boolean
  /** The number of failed attempts in a row. */
  failures: number
  /** The reason why the subscription has ended for good. */
  ended: string | undefined
  /** The error that ended the subscription's run early. */
  error: Error | undefined
}

/** Shows which subscriptions of a run are at work: those that deliver, or that read changes to deliver. */
export interface RunActivity {
  /** Aborted once no subscription is at work. */
  ended: AbortSignal
  begin(subscription: string): void
  end(subscription: string): void
}

/** Creates the activity of a run in which all these subscriptions are at work. */
export function createRunActivity(subscriptions: readonly string[]): RunActivity {
  const ended = new AbortController()
  const atWork = new Set(subscriptions)
  return {
    ended: ended.signal,
    begin: subscription => void atWork.add(subscription),
    end(subscription) {
      atWork.delete(subscription)
      if (atWork.size === 0) ended.abort()
    },
  }
}

/**
 * A wall clock and not a monotonic one, because the end of a pause is stored, and another process may read it after a
 * restart.
 */
export interface PublisherClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Waits. Resolves early if the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const SYSTEM_CLOCK: PublisherClock = {
  now: Date.now,
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
}
