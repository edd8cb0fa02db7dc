const INITIAL_BLOCKS = 500
/**
 * The maximum number of blocks in a range, because even nodes without a limit search only a few thousand per second.
 */
const MAX_BLOCKS = 10_000
/** The desired number of logs in a reply. Such a reply keeps the writer busy, but takes only a few MB. */
const WANTED_LOGS = 2000
const GROWTH = 2
/** After this many accepted ranges, a refused size is tried again, because the node may have been busy at the time. */
const PATIENCE = 30

export type RangeSize = ReturnType<typeof createRangeSize>

/** Ranges double while replies are small. After a refusal, they halve, and stay below the refused size for a while. */
export function createRangeSize({ initial = INITIAL_BLOCKS, maximum = MAX_BLOCKS } = {}) {
  let size = Math.min(initial, maximum)
  let ceiling = maximum
  let accepted = 0
  return {
    blocks: () => size,
    accepted({ blocks, logs }: { blocks: number; logs: number }) {
      accepted += 1
      if (accepted % PATIENCE === 0) ceiling = Math.min(maximum, ceiling * GROWTH)
      // A short range, such as the last range before the head, says nothing about longer ranges.
      if (blocks < size && logs < WANTED_LOGS) return
      const fitting = logs === 0 ? Number.POSITIVE_INFINITY : (blocks * WANTED_LOGS) / logs
      size = Math.max(1, Math.floor(Math.min(size * GROWTH, fitting, ceiling)))
    },
    refused(blocks: number) {
      accepted = 0
      ceiling = Math.max(1, blocks - Math.ceil(blocks / 8))
      size = Math.max(1, Math.floor(blocks / GROWTH))
    },
  }
}
