/** `later.ts` contains half of the page's code. Rejects if the script to which the document links cannot be loaded. */
export async function loadLater(): Promise<typeof import('../later.ts')> {
  const { href } = document.querySelector<HTMLLinkElement>('link#chart') ?? {}
  if (href === undefined) throw new Error('The document does not name the chart script')
  return import(href)
}
