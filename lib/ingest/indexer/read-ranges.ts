import type { RawLog } from '../../chain/logs/raw-log.ts'
import type { BlockHeader } from '../../chain/nodes/block-header.ts'
import type { RangeSize } from '../../chain/nodes/range-size.ts'
import type { ChainReader, LinkedRange } from '../../chain/nodes/read-chain.ts'
import { RangeRefusedError } from '../../chain/nodes/rpc-errors.ts'

export interface ReadRange {
  logs: RawLog[]
  last: BlockHeader
}

/**
 * Reads a range of blocks in pieces that the node accepts, one piece ahead of the consumer. Each piece must begin with
 * a child of the previous piece's last block, even if another node served that piece. A piece ends at each block number
 * in `ends` (ascending), so the caller gets these blocks' headers. Ends early without an error if the signal aborts.
 */
export async function* readRanges(
  reader: ChainReader,
  { first, last, parentHash, hasChild = false }: LinkedRange,
  { size, ends = [], signal }: { size: RangeSize; ends?: readonly number[]; signal: AbortSignal },
): AsyncGenerator<ReadRange> {
  let [next, parent] = [first, parentHash]
  async function readNext(): Promise<ReadRange | undefined> {
    while (next <= last && !signal.aborted) {
      const end = Math.min(last, ends.find(number => number >= next) ?? last)
      const pieceLast = Math.min(end, next + size.blocks() - 1)
      const range = {
        first: next,
        last: pieceLast,
        parentHash: parent,
        hasChild: hasChild || pieceLast < last,
      }
      const blocks = pieceLast - next + 1
      try {
        const read = await reader.readRange(range, signal)
        size.accepted({ blocks, logs: read.logs.length })
        next = pieceLast + 1
        parent = read.last.hash
        return read
      } catch (error) {
        if (signal.aborted) return undefined
        if (!(error instanceof RangeRefusedError)) throw error
        size.refused(blocks)
      }
    }
    return undefined
  }

  let reading = readNext()
  for (;;) {
    const read = await reading
    if (!read) return
    reading = readNext()
    // Prevents an unhandled rejection if the next piece fails before the loop awaits it.
    reading.catch(() => undefined)
    yield read
  }
}
