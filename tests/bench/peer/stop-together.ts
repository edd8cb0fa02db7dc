const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface StopTogether {
  /** Adds what was started, or a folder to be removed. */
  add<T extends { stop(): Promise<void> }>(part: T): T
  /** Stops everything, last started first. */
  stop(): Promise<void>
}

/** Ends what a benchmark has started, also when it is interrupted. */
export function stopTogether(): StopTogether {
  const parts: { stop(): Promise<void> }[] = []
  const stopAll = async () => {
    for (const part of parts.toReversed()) await part.stop()
  }
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= stopAll())
  for (const signal of SIGNALS) process.once(signal, () => void stop().finally(() => process.exit(1)))
  return {
    add(part) {
      parts.push(part)
      return part
    },
    stop,
  }
}
