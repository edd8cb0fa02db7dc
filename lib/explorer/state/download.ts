const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const
/** Browsers may read what is to be saved some time after they were told to. */
const KEPT_MS = 60_000

/** Saves an answer as a file. Throws with a sentence where there is none in that format. */
export async function download(url: string, format: keyof typeof TYPES): Promise<void> {
  const response = await fetch(url, { headers: { accept: TYPES[format] } })
  if (!response.ok) throw new Error(`The service answered ${response.status}.`)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = `events.${format}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
