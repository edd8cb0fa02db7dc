import * as z from 'zod/mini'
import { MAX_BLOCK_NUMBER, MAX_SECONDS } from '../../events/place.ts'
import { BadReplyError } from './rpc-errors.ts'

const hash = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/), z.toLowerCase())
const quantity = (maximum: number) =>
  z.pipe(
    z.string().check(z.regex(/^0x[0-9a-fA-F]{1,16}$/)),
    z.pipe(z.transform(Number), z.int().check(z.maximum(maximum))),
  )

/** The fields of a block that are read from the reply to `eth_getBlockByNumber`. */
const blockHeaderSchema = z.object({
  number: quantity(MAX_BLOCK_NUMBER),
  hash,
  parentHash: hash,
  /** Unix seconds. */
  timestamp: quantity(MAX_SECONDS),
  logsBloom: z.string().check(z.regex(/^0x[0-9a-fA-F]{512}$/)),
})

export type BlockHeader = z.infer<typeof blockHeaderSchema>

/** Parses a node's reply. Returns undefined if the node does not have the block. Throws `BadReplyError`. */
export function parseBlockHeader(reply: unknown): BlockHeader | undefined {
  if (reply === null) return undefined
  const result = blockHeaderSchema.safeParse(reply)
  if (!result.success) throw new BadReplyError(`No block: ${result.error.issues[0]?.message}`)
  return result.data
}
