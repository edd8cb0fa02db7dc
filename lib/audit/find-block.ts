import type { BlockRange } from '../chain/nodes/get-block.ts'
import type { ProofReader } from '../chain/nodes/proof-reader.ts'
import type { Network } from '../events/networks.ts'
import { blockSpan, type Place } from '../events/place.ts'

/**
 * Returns the first block of a range that can contain an event at `place` or at a higher place. Returns the range's
 * last block if no block can. The blocks' headers are searched, because a false event may state a wrong block number.
 */
export async function findBlock(
  place: Place,
  {
    first,
    last,
    network,
    reader,
    signal,
  }: BlockRange & { network: Network; reader: ProofReader; signal: AbortSignal },
): Promise<number> {
  const isBehind = async (number: number) => {
    for await (const [header] of reader.readHeaders({ first: number, last: number }, signal)) {
      if (!header) break
      const { number: blockNumber, timestamp: seconds } = header
      return blockSpan({ blockNumber, seconds, network, logIndex: 0 }).last < place
    }
    return false
  }
  let [low, high] = [first, last]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await isBehind(middle)) low = middle + 1
    else high = middle
  }
  return low
}
