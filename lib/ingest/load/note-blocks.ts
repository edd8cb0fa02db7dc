import { CHAINS, type Network } from '../../events/networks.ts'
import type { EventRecord } from '../../events/record.ts'
import { type BlockTime, noteOf } from '../../store/writing/block-times.ts'

/**
 * Divides blocks into groups of a thousand consecutive numbers. For each group, collects the time of the lowest block
 * that has events.
 */
export function createBlockNotes() {
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
     * Returns the collected blocks that are far enough below the highest added block to be final. Assumes that the
     * highest added block is on the chain.
     */
    final: (): [Network, BlockTime[]][] =>
      [...chains]
        .map(([network, { highest, notes }]): [Network, BlockTime[]] => [
          network,
          [...notes.values()].filter(
            ({ blockNumber }) => blockNumber <= highest - CHAINS[network].finalDepth,
          ),
        ])
        .filter(([, times]) => times.length > 0),
  }
}
