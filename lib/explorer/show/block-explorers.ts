import type { Network } from '../../client/records.ts'

interface BlockExplorer {
  name: string
  /** Where its pages are, without a slash at the end. All five name them alike. */
  url: string
}

/** Other people's pages about the same chain, to which links lead. */
export const BLOCK_EXPLORERS: Readonly<Record<Network, BlockExplorer>> = {
  arbitrum: { name: 'Arbiscan', url: 'https://arbiscan.io' },
  base: { name: 'BaseScan', url: 'https://basescan.org' },
  'bnb-chain': { name: 'BscScan', url: 'https://bscscan.com' },
  ethereum: { name: 'Etherscan', url: 'https://etherscan.io' },
  polygon: { name: 'PolygonScan', url: 'https://polygonscan.com' },
}
