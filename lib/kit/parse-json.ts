/** Undefined if the text is not JSON. Says nothing of the text, because the text of a configuration may be secret. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
