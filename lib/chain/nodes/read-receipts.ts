import type { ChainNode } from './chain-node.ts'
import { BadReplyError, isRefusal, mayBeTooMuch } from './rpc-errors.ts'

interface BlockOfReceipts {
  number: number
  hash: string
  transactionHashes: readonly string[]
}

/**
 * Reads all receipts of a block in one reply. If the node lacks or refuses `eth_getBlockReceipts`, reads the receipts
 * one by one. Throws if the node fails or lacks a receipt.
 */
export async function readReceipts(
  node: ChainNode,
  block: BlockOfReceipts,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const reply = await node.request('eth_getBlockReceipts', [block.hash], signal)
    if (reply !== null && reply !== undefined) return reply
  } catch (error) {
    if (signal.aborted || !(isRefusal(error) || mayBeTooMuch(error))) throw error
  }
  return Promise.all(
    block.transactionHashes.map(async hash => {
      const receipt = await node.request('eth_getTransactionReceipt', [hash], signal)
      if (receipt !== null && receipt !== undefined) return receipt
      throw new BadReplyError(`The node has no receipt of a transaction in block ${block.number}`)
    }),
  )
}
