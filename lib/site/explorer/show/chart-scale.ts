import { type Bar, totalOf } from '../activity/read-activity.ts'

/** Bars below this share of the highest bar are hardly visible. */
const SEEN_SHARE = 1 / 25

/**
 * Whether a linear scale would hide some bars. The chart then has a logarithmic scale: each grid line stands for ten
 * times the count of the next lower line.
 */
export function isLogarithmic(bars: readonly Pick<Bar, 'counts'>[]): boolean {
  const heights = bars.map(totalOf)
  const highest = Math.max(...heights)
  return heights.some(height => height > 0 && height < highest * SEEN_SHARE)
}
