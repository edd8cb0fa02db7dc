import pMap from 'p-map'
import type { RawLog } from '../logs/raw-log.ts'
import type { ProvableHeader } from './block-header.ts'
import type { CheckedNode } from './nodes-of-chain.ts'
import { createBlockProver, findRule, type WantedLogs } from './read-proven-block.ts'
import { UnprovenBlockError } from './rpc-errors.ts'

/**
 * Which logs an indexer proves: `none` proves no logs, and `all` proves all. `doubt` proves only some of the blocks
 * that are not final yet. If contracts are configured, these are the blocks whose Bloom filter contains one of the
 * contracts. Otherwise, these are the blocks whose filter contradicts a node's reply.
 */
export const PROOF_LEVELS = ['none', 'doubt', 'all'] as const

export type ProofLevel = (typeof PROOF_LEVELS)[number]

export interface UnprovenLogs {
  blockNumber: number
  reason: string
}

/** How many blocks' receipts are requested concurrently: few, because a busy block's receipts take a few MB. */
export const BLOCKS_AT_ONCE = 4

/** Resolves with one list of logs per header, in the order of the headers. */
export type ReadLogsOfBlocks = (
  node: CheckedNode,
  headers: readonly ProvableHeader[],
  signal: AbortSignal,
) => Promise<RawLog[][]>

export interface ProvenReaderOptions extends WantedLogs {
  /** Called for each block whose logs are accepted although the block's header does not prove all of them. */
  onUnproven: (unproven: UnprovenLogs) => void
}

/** The reader throws `UnprovenBlockError` for a block that the node does not prove. */
export function createProvenReader(options: ProvenReaderOptions): ReadLogsOfBlocks {
  const { network, onUnproven } = options
  const prove = createBlockProver(options)

  async function read(node: CheckedNode, header: ProvableHeader, signal: AbortSignal): Promise<RawLog[]> {
    const { number } = header
    const proof = await prove(node, header, signal)
    switch (proof.proof) {
      case 'empty':
        return []
      case 'receipts':
        return proof.logs
      case 'partial':
        onUnproven({ blockNumber: number, reason: proof.reason })
        return [...proof.logs, ...proof.unproven]
      case 'none': {
        // If a rule exists for the block, another node may prove it, so the failure is not final. The whole task, not
        // only this block, is then repeated on the other node, because all headers must come from one chain.
        const isFinal = header.doubt === undefined && 'reason' in findRule(node, header)
        const reason = header.doubt === undefined ? proof.reason : `${proof.reason} (node ${node.name})`
        throw new UnprovenBlockError({ network, number, isFinal, reason })
      }
    }
  }

  return (node, headers, signal) =>
    pMap(headers, header => read(node, header, signal), { concurrency: BLOCKS_AT_ONCE })
}
