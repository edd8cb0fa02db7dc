import { writeFile } from 'node:fs/promises'

export const median = (values: number[]): number => quantile(values, 0.5)

/** Returns the value below which this share of the values lies, such as the median for the share 0.5. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** The median and the middle half of the values, such as `12.3 (11.9–13.0)`. */
export const withSpread = (values: number[], digits: number): string =>
  `${median(values).toFixed(digits)} (${quantile(values, 0.25).toFixed(digits)}–${quantile(values, 0.75).toFixed(digits)})`

/** Divides each value by the baseline's value of the same round, which removes the effect of a slow round. */
export const ratios = (values: number[], baseline: number[]): number[] =>
  values.map((value, round) => value / (baseline[round] ?? Number.NaN))

export type Cell = string | number

/** The header contains the column names with ` | ` between them, such as `query | calls`. */
export const table = (header: string, rows: Cell[][]): string =>
  [[header], header.split(' | ').map(() => '---'), ...rows]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n')

/** Prints a report of these paragraphs, and writes it to a file beside this folder. The README links to this file. */
export async function writeReport(name: string, paragraphs: readonly string[]): Promise<void> {
  const report = `${paragraphs.join('\n\n')}\n`
  console.log(report)
  await writeFile(new URL(`../${name}.md`, import.meta.url), report)
}
