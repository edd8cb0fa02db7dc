const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const
/** The time for which the file's URL stays valid. Browsers may read the file some time after the click. */
const KEPT_MS = 60_000

interface File {
  format: keyof typeof TYPES
  /** The file's name, without the extension. */
  name: string
}

/**
 * Saves the answer from a URL as a file. If the service answers with an error, throws an error whose message the page
 * can show.
 */
export async function download(url: string, { format, name }: File): Promise<void> {
  const response = await fetch(url, { headers: { accept: TYPES[format] } }).catch(() => undefined)
  if (!response) throw new Error('The service did not answer. Is there a connection?')
  if (!response.ok) throw new Error(`The service answered ${response.status}.`)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = `${name}.${format}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
