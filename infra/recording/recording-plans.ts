import type { RecordingPlan } from './record-network.ts'

/** 1 July 2024, noon UTC. This is later than the real logs of the recorded networks in the bundled data. */
const startSeconds = 1_719_835_200

/**
 * The recordings in the bundled data. Their block numbers and block times are close to those of the real chains at
 * `startSeconds`. bnb-chain and arbitrum have no real logs, so their recordings are longer.
 */
export const RECORDING_PLANS: readonly RecordingPlan[] = [
  { network: 'bnb-chain', firstBlock: 40_080_000, startSeconds, blockSeconds: 3, rounds: 3 },
  { network: 'arbitrum', firstBlock: 227_600_000, startSeconds, blockSeconds: 0.25, rounds: 3 },
  { network: 'polygon', firstBlock: 58_820_000, startSeconds, blockSeconds: 2, rounds: 1 },
  { network: 'base', firstBlock: 16_520_000, startSeconds, blockSeconds: 2, rounds: 1 },
  { network: 'ethereum', firstBlock: 20_212_000, startSeconds, blockSeconds: 12, rounds: 1 },
]
