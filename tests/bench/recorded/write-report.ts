import { writeFile } from 'node:fs/promises'

/** Prints a report of these paragraphs, and writes it to a file beside this folder. The README links to this file. */
export async function writeReport(name: string, paragraphs: readonly string[]): Promise<void> {
  const report = `${paragraphs.join('\n\n')}\n`
  console.log(report)
  await writeFile(new URL(`../${name}.md`, import.meta.url), report)
}
