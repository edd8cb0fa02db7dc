/** Undefined if the text is not JSON. The parser's message is dropped, because it would quote a text that may be secret. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
