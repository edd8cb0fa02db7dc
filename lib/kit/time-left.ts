/** This window is long enough to average over tasks of different sizes, and short enough to follow changes in speed. */
const WINDOW_MS = 60_000

/**
 * The returned function estimates the time left in seconds, using the speed in the last minute. While no work gets
 * done, estimates grow, and become undefined after a minute.
 */
export function createTimeLeft(now: () => number = () => performance.now()) {
  let samples: { at: number; done: number }[] = []
  return (done: number, total: number): number | undefined => {
    const at = now()
    const firstInside = samples.findIndex(sample => at - sample.at <= WINDOW_MS)
    // The newest sample before the window is kept, because two samples are needed to measure a speed.
    samples = firstInside < 0 ? samples.slice(-1) : samples.slice(Math.max(0, firstInside - 1))
    if (samples.at(-1)?.done !== done) samples.push({ at, done })
    const [oldest] = samples
    if (!oldest || done <= oldest.done || at <= oldest.at) return undefined
    return ((total - done) * (at - oldest.at)) / (done - oldest.done) / 1000
  }
}

const MINUTE = 60
const HOUR = 3600

/** Returns a string such as `2 h 5 min`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min ${whole % MINUTE} s`
  return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`
}
