import { CHAINS, type Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import { type BlockTime, noteOf } from '../store/block-times.ts'

/** The lowest block with events of each group of blocks that gets a note. */
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
    /** Those that are final by now, where the highest block that was added is on the chain. */
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
