import * as z from 'zod/mini'
import { hasTime } from '../logs/raw-log.ts'
import type { BlockHeader } from './block-header.ts'
import { BadReplyError } from './rpc-errors.ts'

const replySchema = z.array(
  z.looseObject({
    blockNumber: z.string().check(z.regex(/^0x[0-9a-fA-F]{1,16}$/)),
    blockHash: z.string(),
    blockTimestamp: z.nullish(z.string()),
  }),
)

const MAX_REMEMBERED = 20_000

/** Most nodes return a log's time (geth since 1.16). For logs without a time, reads each block once, in parallel. */
export function createTimestamps(known: readonly BlockHeader[] = []) {
  const headers = new Map<number, BlockHeader>()
  learn(known)

  function learn(blocks: readonly BlockHeader[]) {
    for (const block of blocks) headers.set(block.number, block)
    for (const [number] of headers) {
      if (headers.size <= MAX_REMEMBERED) break
      headers.delete(number)
    }
  }

  return {
    learn,
    /** Returns the logs in a reply to `eth_getLogs`, each with its time. Throws `BadReplyError`. */
    async add(reply: unknown, readBlock: (number: number) => Promise<BlockHeader>): Promise<object[]> {
      const result = replySchema.safeParse(reply)
      if (!result.success)
        throw new BadReplyError('The node did not return a list of logs with block numbers and block hashes')
      const logs = result.data
      const missing = logs.filter(log => !hasTime(log)).map(log => Number(log.blockNumber))
      const unknown = [...new Set(missing)].filter(number => !headers.has(number))
      const found = new Map((await Promise.all(unknown.map(readBlock))).map(each => [each.number, each]))
      const timed = logs.map(log => {
        if (hasTime(log)) return log
        const number = Number(log.blockNumber)
        const header = found.get(number) ?? headers.get(number)
        if (header?.hash !== log.blockHash.toLowerCase()) {
          throw new BadReplyError(`A log of block ${number} contains the hash of a different block`)
        }
        return { ...log, blockTimestamp: header.timestamp }
      })
      learn([...found.values()])
      return timed
    },
  }
}
