import { CHAINS, type Network } from '../../events/networks.ts'
import type { EventRecord } from '../../events/record.ts'
import { type BlockTime, noteOf } from '../../store/writing/block-times.ts'

/**
 * The minimum age of a final block, by the loader's clock, because all supported chains finalise blocks within hours.
 * Without this minimum, a single log with a block number that is far too high would make new blocks look final.
 */
const FINAL_AGE_SECONDS = 86_400

/** Collects the time of the lowest block with events in each group of a thousand consecutive block numbers. */
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
