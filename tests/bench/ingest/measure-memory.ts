const SAMPLE_EVERY_MS = 100

/** In megabytes. */
export function measureMemory() {
  const samples: number[] = []
  const timer = setInterval(() => samples.push(process.memoryUsage.rss() / 2 ** 20), SAMPLE_EVERY_MS)
  return {
    peaks(): number[] {
      clearInterval(timer)
      const tenth = Math.max(1, Math.ceil(samples.length / 10))
      const parts = Array.from({ length: Math.ceil(samples.length / tenth) }, (_, index) =>
        samples.slice(index * tenth, (index + 1) * tenth),
      )
      return parts.map(part => Math.round(Math.max(...part)))
    },
  }
}
