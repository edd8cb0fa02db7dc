import * as z from 'zod/mini'
import { hexOf } from '../logs/raw-log.ts'
import { doubtHeader, type RawBlock } from '../proof/hash-header.ts'
import { type BlockHeader, parseBlockHeader } from './block-header.ts'

/** A block's header, with the fields that a proof of its logs needs. */
export interface ProvableHeader extends BlockHeader {
  receiptsRoot: string
  /**
   * The hashes of the block's transactions, in the order that the node reports. The header's hash does not cover these
   * hashes.
   */
  transactionHashes: readonly string[]
  /** Why the header's fields do not prove its hash. Undefined for a proven hash. */
  doubt: string | undefined
}

const rootsSchema = z.object({ receiptsRoot: hexOf(32), transactions: z.array(hexOf(32)) })

/**
 * Parses a node's reply and checks the header's hash. Returns undefined if the node does not have the block. If the
 * header lacks fields for a proof, returns the header with a `doubt`. Throws `BadReplyError` for a reply that is no
 * block.
 */
export function parseProvableHeader(reply: unknown): ProvableHeader | undefined {
  const header = parseBlockHeader(reply)
  if (!header) return undefined
  const result = rootsSchema.safeParse(reply)
  if (!result.success) {
    const field = result.error.issues[0]?.path[0]
    const doubt =
      doubtHeader(reply as RawBlock) ?? `The block's field ${String(field)} is missing or malformed`
    return { ...header, receiptsRoot: '', transactionHashes: [], doubt }
  }
  const { receiptsRoot, transactions: transactionHashes } = result.data
  return { ...header, receiptsRoot, transactionHashes, doubt: doubtHeader(reply as RawBlock) }
}
