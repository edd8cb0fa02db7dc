const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type StopTogether = ReturnType<typeof stopTogether>

/** Stops the parts of a benchmark in the reverse order of starting, even after an interruption. */
export function stopTogether() {
  const parts: { stop(): Promise<void> }[] = []
  const stopAll = async () => {
    for (const part of parts.toReversed()) await part.stop()
  }
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= stopAll())
  for (const signal of SIGNALS) process.once(signal, () => void stop().finally(() => process.exit(1)))
  return {
    /** A part is, for example, a server to stop or a folder to remove. */
    add<T extends { stop(): Promise<void> }>(part: T): T {
      parts.push(part)
      return part
    },
    stop,
  }
}
