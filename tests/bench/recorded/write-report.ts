import { writeFile } from 'node:fs/promises'

/** Prints a report, and writes it beside this folder, where the README links to it. */
export async function writeReport(name: string, report: string): Promise<void> {
  console.log(report)
  await writeFile(new URL(`../${name}.md`, import.meta.url), report)
}
