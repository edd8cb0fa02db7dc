/** Asks for something that all files of this run share; `run-parts.ts` makes it when it is first asked for. */
export async function runPart<Part>(name: string, argument: unknown): Promise<Part> {
  const query = new URLSearchParams({ argument: JSON.stringify(argument) })
  const response = await fetch(`${process.env.TEST_RUN_PARTS}/${name}?${query}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text)
}
