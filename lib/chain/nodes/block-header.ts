import * as z from 'zod/mini'
import { MAX_BLOCK_NUMBER, MAX_SECONDS } from '../../events/place.ts'
import { hexOf } from '../logs/raw-log.ts'
import { doubtHeader, type RawBlock } from '../proof/hash-header.ts'
import { BadReplyError } from './rpc-errors.ts'

const quantity = (maximum: number) =>
  z.pipe(
    z.string().check(z.regex(/^0x[0-9a-fA-F]{1,16}$/)),
    z.pipe(z.transform(Number), z.int().check(z.maximum(maximum))),
  )

/** The fields of a reply to `eth_getBlockByNumber` that are used. */
const blockHeaderSchema = z.object({
  number: quantity(MAX_BLOCK_NUMBER),
  hash: hexOf(32),
  parentHash: hexOf(32),
  /** Unix seconds. */
  timestamp: quantity(MAX_SECONDS),
  logsBloom: hexOf(256),
})

export type BlockHeader = z.infer<typeof blockHeaderSchema>

/** Undefined if the node lacks the block. Throws `BadReplyError` if the reply is malformed. */
export function parseBlockHeader(reply: unknown): BlockHeader | undefined {
  if (reply === null) return undefined
  const result = blockHeaderSchema.safeParse(reply)
  if (!result.success) {
    const field = result.error.issues[0]?.path[0]
    const problem = field === undefined ? 'is not an object' : `lacks a valid ${String(field)}`
    throw new BadReplyError(`The block that the node returned ${problem}`)
  }
  return result.data
}

export interface ProvableHeader extends BlockHeader {
  receiptsRoot: string
  /** The transaction hashes in the order that the node reports. The header's hash does not prove them. */
  transactionHashes: readonly string[]
  /** Why the header's hash does not prove its fields. Undefined if it does. */
  doubt: string | undefined
}

const rootsSchema = z.object({ receiptsRoot: hexOf(32), transactions: z.array(hexOf(32)) })

/**
 * Like `parseBlockHeader`, but gives the header a `doubt` if fields are missing or if its hash does not prove its
 * fields.
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
