import { writeFile } from 'node:fs/promises'

/** Prints a report of these paragraphs, and writes it beside this folder, where the README links to it. */
export async function writeReport(name: string, paragraphs: readonly string[]): Promise<void> {
  const report = `${paragraphs.join('\n\n')}\n`
  console.log(report)
  await writeFile(new URL(`../${name}.md`, import.meta.url), report)
}
