const SAMPLE_EVERY_MS = 100

/** The returned function ends the measurement, and returns the highest memory in megabytes. */
export function measureMemory(): () => number {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, SAMPLE_EVERY_MS)
  return () => {
    clearInterval(timer)
    return Math.round(peak / 2 ** 20)
  }
}
