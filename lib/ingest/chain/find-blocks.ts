import type { FindBlocks } from '../block-list.ts'
import { createChainReader, type ReaderOptions } from './read-chain.ts'

/** Finds blocks on a chain. Throws what its reader throws. */
export function findBlocksOnChain(
  options: Omit<ReaderOptions, 'contracts'>,
  signal: AbortSignal,
): FindBlocks {
  const reader = createChainReader({ ...options, contracts: 'any' })
  return async numbers => (await reader.readHeaders(numbers, signal)).filter(header => header !== undefined)
}
