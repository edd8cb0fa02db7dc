/** Determines how many blocks are requested from a node together. */
export interface RangeSize {
  blocks(): number
  /** Records that the node returned `logs` logs for `blocks` blocks. */
  accepted(reply: { blocks: number; logs: number }): void
  /** Records that the node refused a range of this many blocks. */
  refused(blocks: number): void
}

const INITIAL_BLOCKS = 500
/** The largest number of blocks in a range. Nodes without a limit search a few thousand blocks a second. */
const MAX_BLOCKS = 10_000
/**
 * The desired number of logs in a reply, which is enough to keep the writer busy. A reply with this number of logs has
 * a few MB.
 */
const WANTED_LOGS = 2000
const GROWTH = 2
/**
 * After a refusal, ranges become wider than the refused range only after this many accepted ranges. A wider range is
 * tried because the node may only have been busy.
 */
const PATIENCE = 30

/**
 * Adapts the range to the node's limit and to the density of logs. The range doubles while replies are small, and
 * halves after a refusal. For a while after a refusal the range stays just below the refused size.
 */
export function createRangeSize({ initial = INITIAL_BLOCKS, maximum = MAX_BLOCKS } = {}): RangeSize {
  let size = Math.min(initial, maximum)
  let ceiling = maximum
  let accepted = 0
  return {
    blocks: () => size,
    accepted({ blocks, logs }) {
      accepted += 1
      if (accepted % PATIENCE === 0) ceiling = Math.min(maximum, ceiling * GROWTH)
      // A short range, such as the last range before the head, says nothing about longer ranges.
      if (blocks < size && logs < WANTED_LOGS) return
      const fitting = logs === 0 ? Number.POSITIVE_INFINITY : (blocks * WANTED_LOGS) / logs
      size = Math.max(1, Math.floor(Math.min(size * GROWTH, fitting, ceiling)))
    },
    refused(blocks) {
      accepted = 0
      ceiling = Math.max(1, blocks - Math.ceil(blocks / 8))
      size = Math.max(1, Math.floor(blocks / GROWTH))
    },
  }
}
