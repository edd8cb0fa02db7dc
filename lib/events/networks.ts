interface Chain {
  label: string
  /** The network's name in the table's keys. The name is short, because it is stored about 24 times per event. */
  code: string
  /** The EIP-155 chain id, as listed at https://chainlist.org. */
  chainId: number
  /**
   * How many blocks below the head the indexer stops by default. Few reorganisations go deeper, and the indexer
   * corrects their effects. With 0, events would appear up to 36 seconds earlier, but more of them would later be
   * removed.
   */
  confirmations: number
  /**
   * The depth below the head, in blocks, at which a block is treated as final if a node does not support the block tag
   * `finalized`. The values correspond to about an hour (less on bnb-chain), and include a safety margin.
   */
  finalDepth: number
  /**
   * The smallest plausible distance of a final block from the head, in blocks. A final block that is closer is read
   * again. The protocol's own distance is greater: two epochs (13 minutes) on ethereum, and about as long on base and
   * arbitrum.
   */
  finalAfter: number
  /** A public block explorer with pages at `${url}/address/…` and `${url}/tx/…`. */
  explorer: { name: string; url: string }
}

/**
 * This file must import nothing, because the explorer would also load the imported code. The client's networks are
 * generated from this file.
 */
export const CHAINS = {
  // Reorganisations are rare: the sequencer reverts its blocks only if the parent chain forces it to.
  arbitrum: {
    label: 'Arbitrum',
    code: 'arb',
    chainId: 42_161,
    confirmations: 4,
    finalDepth: 14_400,
    finalAfter: 100,
    explorer: { name: 'Arbiscan', url: 'https://arbiscan.io' },
  },
  base: {
    label: 'Base',
    code: 'base',
    chainId: 8453,
    confirmations: 2,
    finalDepth: 1800,
    finalAfter: 150,
    explorer: { name: 'BaseScan', url: 'https://basescan.org' },
  },
  // The validators' votes finalise a block as soon as two blocks follow it (BEP-126).
  'bnb-chain': {
    label: 'BNB Chain',
    code: 'bnb',
    chainId: 56,
    confirmations: 3,
    finalDepth: 1200,
    finalAfter: 1,
    explorer: { name: 'BscScan', url: 'https://bscscan.com' },
  },
  ethereum: {
    label: 'Ethereum',
    code: 'eth',
    chainId: 1,
    confirmations: 3,
    finalDepth: 300,
    finalAfter: 32,
    explorer: { name: 'Etherscan', url: 'https://etherscan.io' },
  },
  // A milestone finalises a block about a dozen blocks later, and forks above the last milestone are short.
  polygon: {
    label: 'Polygon',
    code: 'pol',
    chainId: 137,
    confirmations: 8,
    finalDepth: 1800,
    finalAfter: 1,
    explorer: { name: 'PolygonScan', url: 'https://polygonscan.com' },
  },
} satisfies Record<string, Chain>

export type Network = keyof typeof CHAINS

/** The networks in alphabetical order, which is also their order in answers. */
export const NETWORKS = Object.keys(CHAINS) as readonly Network[]

/**
 * Parses a table's networks: names separated by commas, or `all`. A missing or empty string means `all`. Returns
 * undefined for `all`, because `all` may mean more networks in later versions. Throws for an unknown name.
 */
export function readNetworks(text = 'all'): readonly Network[] | undefined {
  const names = text.split(',').map(name => name.trim())
  if (names.join('') === '' || names.join('') === 'all') return undefined
  const unknown = names.find(name => !NETWORKS.some(network => network === name))
  if (unknown !== undefined) {
    throw new Error(
      `"${unknown}" is not a network: write all, or one or more of ${NETWORKS.join(', ')}, separated by commas`,
    )
  }
  return NETWORKS.filter(network => names.includes(network))
}
