/** Undefined if the text is not JSON. An error would quote the text, and a configuration may be secret. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
