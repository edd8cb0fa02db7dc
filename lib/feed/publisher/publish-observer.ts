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
  /** The feed is unavailable at the moment. Called once in each outage. */
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
