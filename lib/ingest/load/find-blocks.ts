import { createChainReader, type ReaderOptions } from '../../chain/nodes/read-chain.ts'
import type { FindBlocks } from './block-list.ts'

/** Returns a function that finds blocks on a chain. The function throws the errors of `ChainReader`. */
export function findBlocksOnChain(
  options: Omit<ReaderOptions, 'contracts'>,
  signal: AbortSignal,
): FindBlocks {
  const reader = createChainReader({ ...options, contracts: 'any' })
  return async numbers => (await reader.readHeaders(numbers, signal)).filter(header => header !== undefined)
}
