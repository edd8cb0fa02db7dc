/**
 * Loads the script of `later.ts`, which contains half of the page's code. The document links to the script's file.
 * Rejects if the file cannot be loaded.
 */
export async function loadLater(): Promise<typeof import('../later.ts')> {
  const { href } = document.querySelector<HTMLLinkElement>('link#chart') ?? {}
  if (href === undefined) throw new Error('The document does not name the chart script')
  return import(href)
}
