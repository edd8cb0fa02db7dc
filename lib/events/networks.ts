/** What there is to know of a network's chain. */
interface Chain {
  /** What people call it. */
  label: string
  /** Its name in the keys of the table, where each byte is stored two dozen times an event. */
  code: string
  /** As in EIP-155; https://chainlist.org lists them. */
  chainId: number
  /**
   * How many blocks an indexer stays behind the head, unless it is told otherwise. Deeper reorganisations are
   * rare on each chain; those that happen are repaired. 0 would show events some seconds earlier and take
   * back more of them.
   */
  confirmations: number
  /** How many blocks below the head are not final yet where a node does not know `finalized`: an ample hour or so. */
  finalDepth: number
  /** Other people's pages about the chain: at `url`, which has no slash at the end, with `/address/…` and `/tx/…`. */
  explorer: { name: string; url: string }
}

/**
 * The networks that are served, one row each. This file imports nothing, so that the page can read the rows too. The
 * client's type of their names is written from them by `npm run openapi`.
 */
export const CHAINS = {
  // The sequencer orders blocks and does not take them back, unless the parent chain forces it to.
  arbitrum: {
    label: 'Arbitrum',
    code: 'arb',
    chainId: 42_161,
    confirmations: 4,
    finalDepth: 14_400,
    explorer: { name: 'Arbiscan', url: 'https://arbiscan.io' },
  },
  base: {
    label: 'Base',
    code: 'base',
    chainId: 8453,
    confirmations: 2,
    finalDepth: 1800,
    explorer: { name: 'BaseScan', url: 'https://basescan.org' },
  },
  // Votes make a block final with its second successor (BEP-126).
  'bnb-chain': {
    label: 'BNB Chain',
    code: 'bnb',
    chainId: 56,
    confirmations: 3,
    finalDepth: 1200,
    explorer: { name: 'BscScan', url: 'https://bscscan.com' },
  },
  ethereum: {
    label: 'Ethereum',
    code: 'eth',
    chainId: 1,
    confirmations: 3,
    finalDepth: 300,
    explorer: { name: 'Etherscan', url: 'https://etherscan.io' },
  },
  // Milestones make blocks final after some dozen; forks before that are of a few blocks.
  polygon: {
    label: 'Polygon',
    code: 'pol',
    chainId: 137,
    confirmations: 8,
    finalDepth: 1800,
    explorer: { name: 'PolygonScan', url: 'https://polygonscan.com' },
  },
} satisfies Record<string, Chain>

export type Network = keyof typeof CHAINS

/** In alphabetical order, which is the order `network` sorts in. */
export const NETWORKS = Object.keys(CHAINS) as readonly Network[]
