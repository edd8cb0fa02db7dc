import { CHAINS, type Network } from '../../events/networks.ts'
import type { EventRecord } from '../../events/record.ts'
import { type BlockTime, noteOf } from '../../store/writing/block-times.ts'

/**
 * The age from which a block counts as final, by the loader's clock. All the chains finalize their blocks within hours.
 * Readers rely on a noted time, so a log with a far too high block number must not make newer blocks final.
 */
const FINAL_AGE_SECONDS = 86_400

/**
 * Divides blocks into groups of a thousand consecutive numbers. For each group, collects the time of the lowest block
 * that has events.
 */
export function createBlockNotes({ now = Date.now }: { now?: () => number } = {}) {
  const chains = new Map<Network, { highest: number; notes: Map<number, BlockTime> }>()
  return {
    add({ network, blockNumber, createdAt }: EventRecord) {
      const chain = chains.get(network) ?? { highest: 0, notes: new Map<number, BlockTime>() }
      chains.set(network, chain)
      chain.highest = Math.max(chain.highest, blockNumber)
      const note = chain.notes.get(noteOf(blockNumber))
      if (note && note.blockNumber <= blockNumber) return
      chain.notes.set(noteOf(blockNumber), { blockNumber, timestamp: Date.parse(createdAt) / 1000 })
    },
    /**
     * Returns the collected blocks that are final: blocks far enough below the highest added block, and old enough.
     */
    final: (): [Network, BlockTime[]][] =>
      [...chains]
        .map(([network, { highest, notes }]): [Network, BlockTime[]] => [
          network,
          [...notes.values()].filter(
            ({ blockNumber, timestamp }) =>
              blockNumber <= highest - CHAINS[network].finalDepth &&
              timestamp <= now() / 1000 - FINAL_AGE_SECONDS,
          ),
        ])
        .filter(([, times]) => times.length > 0),
  }
}
