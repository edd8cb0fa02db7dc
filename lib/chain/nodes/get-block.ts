import type { Hex } from 'viem'
import {
  type BlockHeader,
  type ProvableHeader,
  parseBlockHeader,
  parseProvableHeader,
} from './block-header.ts'
import type { ChainNode } from './chain-node.ts'
import { checkLinks } from './check-replies.ts'
import { BadReplyError } from './rpc-errors.ts'

/** Includes the blocks `first` and `last`. */
export interface BlockRange {
  first: number
  last: number
}

/** Undefined if the node lacks the block. Throws `BadReplyError` if the returned block has a different number. */
export async function getBlock(
  node: ChainNode,
  block: number | 'latest' | 'finalized',
  signal: AbortSignal,
): Promise<BlockHeader | undefined> {
  const header = parseBlockHeader(await request(node, block, signal))
  return header && typeof block === 'number' ? needHeader(header, block) : header
}

/** Throws `BadReplyError` if the node lacks the block. */
export async function needBlock(node: ChainNode, number: number, signal: AbortSignal): Promise<BlockHeader> {
  return needHeader(await getBlock(node, number, signal), number)
}

/** Throws `BadReplyError` if the node lacks a block, or if a block is not the parent of the next. */
export async function needProvableHeaders(
  node: ChainNode,
  { first, last }: BlockRange,
  signal: AbortSignal,
): Promise<ProvableHeader[]> {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const headers = await Promise.all(
    numbers.map(async number => needHeader(parseProvableHeader(await request(node, number, signal)), number)),
  )
  checkLinks(headers)
  return headers
}

export const toHex = (value: number): Hex => `0x${value.toString(16)}`

function request(node: ChainNode, block: number | 'latest' | 'finalized', signal: AbortSignal) {
  const name = typeof block === 'number' ? toHex(block) : block
  return node.request('eth_getBlockByNumber', [name, false], signal)
}

export function needHeader<T extends BlockHeader>(header: T | undefined, number: number): T {
  if (!header) throw new BadReplyError(`The node does not have block ${number}`)
  if (header.number === number) return header
  throw new BadReplyError(`The node returned block ${header.number} instead of block ${number}`)
}
