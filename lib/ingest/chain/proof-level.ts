/**
 * Which logs an indexer proves. `none` proves no logs. `all` proves all logs. `doubt` proves the logs of a block if the
 * block is not final and a node's reply contradicts the block's Bloom filter.
 */
export const PROOF_LEVELS = ['none', 'doubt', 'all'] as const

export type ProofLevel = (typeof PROOF_LEVELS)[number]

/** A block whose logs were indexed without proof, and the reason. */
export interface UnprovenLogs {
  blockNumber: number
  reason: string
}
