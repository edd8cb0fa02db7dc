/** The value that half of the values stay below. */
export const median = (values: number[]): number => quantile(values, 0.5)

/** The value that so large a share of the values stay below. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** A median with the middle half of the values: `12.3 (11.9–13.0)`. */
export const withSpread = (values: number[], digits: number): string =>
  `${median(values).toFixed(digits)} (${quantile(values, 0.25).toFixed(digits)}–${quantile(values, 0.75).toFixed(digits)})`

/** Each value beside the baseline's of the same round, so that what slows a whole round down cancels out. */
export const ratios = (values: number[], baseline: number[]): number[] =>
  values.map((value, round) => value / (baseline[round] ?? Number.NaN))

export type Cell = string | number

/** A table in Markdown. */
export const table = (header: string[], rows: Cell[][]): string =>
  [header, header.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
