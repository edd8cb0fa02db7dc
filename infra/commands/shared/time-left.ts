/** Long enough to bridge pieces of work of different sizes, short enough to follow a change of speed. */
const WINDOW_MS = 60_000

/** Tells how long something still takes, in seconds; undefined while nothing can be said. */
export type TimeLeft = (done: number, total: number) => number | undefined

/**
 * Judges by how fast it went in the last minute. Asked again while nothing is done, it tells more each time, and
 * nothing when that has lasted.
 */
export function createTimeLeft(now: () => number = () => performance.now()): TimeLeft {
  let samples: { at: number; done: number }[] = []
  return (done, total) => {
    const at = now()
    const firstInside = samples.findIndex(sample => at - sample.at <= WINDOW_MS)
    // One from before the window remains, so that there is always something to compare with.
    samples = firstInside < 0 ? samples.slice(-1) : samples.slice(Math.max(0, firstInside - 1))
    if (samples.at(-1)?.done !== done) samples.push({ at, done })
    const [oldest] = samples
    if (!oldest || done <= oldest.done || at <= oldest.at) return undefined
    return ((total - done) * (at - oldest.at)) / (done - oldest.done) / 1000
  }
}

const MINUTE = 60
const HOUR = 3600

/** A duration for people, as `2 h 5 min`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min ${whole % MINUTE} s`
  return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`
}
