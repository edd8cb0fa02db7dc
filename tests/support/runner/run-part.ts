/** Returns a part that all test files of this run share. `run-parts.ts` creates the part when it is first needed. */
export async function runPart<Part>(name: string, argument: unknown): Promise<Part> {
  const query = new URLSearchParams({ argument: JSON.stringify(argument) })
  const response = await fetch(`${process.env.TEST_RUN_PARTS}/${name}?${query}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text)
}
