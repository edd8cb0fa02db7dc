/** Which subscriptions of a run are at work. A subscription at work delivers, or reads changes that it will deliver. */
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
