/** The facts about a network's chain. */
interface Chain {
  /** The display name. */
  label: string
  /** The short name in the table's keys. Each event stores this name about two dozen times. */
  code: string
  /** The chain id of EIP-155. The ids are listed at https://chainlist.org. */
  chainId: number
  /**
   * The number of blocks below the head at which the indexer stops by default. On each chain, few reorganisations go
   * deeper, and the indexer repairs them. With 0, events would appear some seconds earlier, and more events would be
   * removed again.
   */
  confirmations: number
  /**
   * The number of blocks below the head that count as not final. Used only for nodes that do not support the block tag
   * `finalized`: about an hour of blocks, with a margin.
   */
  finalDepth: number
  /**
   * The least number of blocks above a final block. A node that reports a final block nearer to its head is wrong. Less
   * than the protocol's own distance: two epochs on ethereum, on base and arbitrum the same time in their blocks.
   */
  finalAfter: number
  /** A public block explorer of the chain. `url` has no slash at the end. Pages are at `/address/…` and `/tx/…`. */
  explorer: { name: string; url: string }
}

/**
 * The networks of the service, one row each. This file imports nothing, so that the explorer can import the rows. `npm
 * run openapi` generates the client's type of network names from these rows.
 */
export const CHAINS = {
  // The sequencer reverts its blocks only if the parent chain forces a revert.
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
  // Once a block has two successors, the validators' votes finalise the block (BEP-126).
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
  // A milestone finalises a block after some dozen blocks. Forks before a milestone are short.
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

/** In alphabetical order, the order of networks in answers. */
export const NETWORKS = Object.keys(CHAINS) as readonly Network[]

/**
 * Parses a table's networks, which are names separated by commas, or `all`. A missing or empty text means `all`.
 * Returns undefined for `all`, which includes networks that a later version adds. Throws for an unknown name.
 */
export function readNetworks(text = 'all'): readonly Network[] | undefined {
  const names = text.split(',').map(name => name.trim())
  if (names.join('') === '' || names.join('') === 'all') return undefined
  const unknown = names.find(name => !NETWORKS.some(network => network === name))
  if (unknown !== undefined) {
    throw new Error(
      `"${unknown}" is not a network: write all, or some of ${NETWORKS.join(', ')} with commas between them`,
    )
  }
  return NETWORKS.filter(network => names.includes(network))
}
