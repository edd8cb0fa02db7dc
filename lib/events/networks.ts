/** What there is to know of a network's chain. */
interface Chain {
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
}

/** The networks that are served, one row each. */
export const CHAINS = {
  // The sequencer orders blocks and does not take them back, unless the parent chain forces it to.
  arbitrum: { code: 'arb', chainId: 42_161, confirmations: 4, finalDepth: 14_400 },
  base: { code: 'base', chainId: 8453, confirmations: 2, finalDepth: 1800 },
  // Votes make a block final with its second successor (BEP-126).
  'bnb-chain': { code: 'bnb', chainId: 56, confirmations: 3, finalDepth: 1200 },
  ethereum: { code: 'eth', chainId: 1, confirmations: 3, finalDepth: 300 },
  // Milestones make blocks final after some dozen; forks before that are of a few blocks.
  polygon: { code: 'pol', chainId: 137, confirmations: 8, finalDepth: 1800 },
} satisfies Record<string, Chain>

export type Network = keyof typeof CHAINS

/** In alphabetical order, which is the order `network` sorts in. */
export const NETWORKS: readonly Network[] = (Object.keys(CHAINS) as Network[]).toSorted()
