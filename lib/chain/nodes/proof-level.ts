/**
 * Which logs an indexer proves. `none` proves no logs. `all` proves all logs. `doubt` proves the logs of a block that is
 * not final in two cases: its Bloom filter has one of the given contracts, or, if no contracts are given, a node's
 * reply contradicts the filter.
 */
export const PROOF_LEVELS = ['none', 'doubt', 'all'] as const

export type ProofLevel = (typeof PROOF_LEVELS)[number]

/** A block whose logs were indexed without proof, and the reason. */
export interface UnprovenLogs {
  blockNumber: number
  reason: string
}
