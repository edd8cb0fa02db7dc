import type { IndexedThrough } from '../query/indexed-through.ts'

/** The value of `X-Indexed-Through`, as `base=34160634@2025-08-13T10:20:15Z`; undefined when there is nothing to tell. */
export const indexedThroughHeader = (networks: readonly IndexedThrough[]): string | undefined =>
  blocksHeader(networks)

/** The value of `X-Finalized-Through`, in the same form: the last block of each network that is final. */
export const finalizedThroughHeader = (networks: readonly IndexedThrough[]): string | undefined =>
  blocksHeader(
    networks.flatMap(({ network, finalizedBlock: blockNumber, finalizedTimestamp: timestamp }) =>
      blockNumber === undefined || timestamp === undefined ? [] : { network, blockNumber, timestamp },
    ),
  )

function blocksHeader(
  networks: readonly Pick<IndexedThrough, 'network' | 'blockNumber' | 'timestamp'>[],
): string | undefined {
  const parts = networks
    .toSorted((a, b) => (a.network < b.network ? -1 : 1))
    .map(({ network, blockNumber, timestamp }) => {
      const time = new Date(timestamp * 1000).toISOString().replace('.000Z', 'Z')
      return `${network}=${blockNumber}@${time}`
    })
  return parts.length === 0 ? undefined : parts.join(', ')
}
