/** The test files of this run share the part. `run-parts.ts` creates it when needed. */
export async function runPart<Part>(name: string, argument: unknown): Promise<Part> {
  const query = new URLSearchParams({ argument: JSON.stringify(argument) })
  const response = await fetch(`${process.env.TEST_RUN_PARTS}/${name}?${query}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text)
}
