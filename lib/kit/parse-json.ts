/**
 * Returns undefined if the text is not JSON, because an error would quote the text, which may be a secret
 * configuration.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
