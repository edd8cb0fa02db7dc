/**
 * Loads `later.ts`, which contains half of the page's code. Rejects if the document has no link to the script, or if
 * the script cannot be loaded.
 */
export async function loadLater(): Promise<typeof import('../later.ts')> {
  const { href } = document.querySelector<HTMLLinkElement>('link#chart') ?? {}
  if (href === undefined) throw new Error('The document does not name the chart script')
  return import(href)
}
