import type { IndexedThrough } from '../query/indexed-through.ts'

/** The value of `X-Indexed-Through`, as `base=34160634@2025-08-13T10:20:15Z`; undefined when there is nothing to tell. */
export function indexedThroughHeader(networks: readonly IndexedThrough[]): string | undefined {
  const parts = networks
    .toSorted((a, b) => (a.network < b.network ? -1 : 1))
    .map(({ network, blockNumber, timestamp }) => {
      const time = new Date(timestamp * 1000).toISOString().replace('.000Z', 'Z')
      return `${network}=${blockNumber}@${time}`
    })
  return parts.length === 0 ? undefined : parts.join(', ')
}
