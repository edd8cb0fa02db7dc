/** How many blocks to ask a node for at once. */
export interface RangeSize {
  blocks(): number
  /** The node gave `logs` logs for `blocks` blocks. */
  accepted(reply: { blocks: number; logs: number }): void
  /** The node refused so many blocks. */
  refused(blocks: number): void
}

const INITIAL_BLOCKS = 500
/** Nodes without a limit of their own search some thousand blocks a second. */
const MAX_BLOCKS = 10_000
/** Enough to keep a table busy; a reply of so many logs is some MB. */
const WANTED_LOGS = 2000
const GROWTH = 2
/** So many accepted ranges after a refusal, a wider one is tried again: nodes are busy at times. */
const PATIENCE = 30

/**
 * Adapts to what the node accepts and to how many logs there are: twice as many blocks while replies are
 * small, half as many after a refusal, and then just below what was refused for a good while.
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
      // A short range, such as the last one before the head, says nothing about longer ones.
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
