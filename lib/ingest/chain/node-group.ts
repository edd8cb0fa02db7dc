import { type Clock, MONOTONIC_CLOCK, timeLimit } from '../../store/clock.ts'
import type { ChainNode } from './chain-node.ts'
import { NodesUnavailableError, RangeRefusedError, StateRefusedError, WrongChainError } from './rpc-errors.ts'

export interface NodeGroup {
  /** In the order in which they are tried. */
  members: readonly ChainNode[]
  /**
   * Gives a task to one node, from beginning to end, for two nodes may not know the same chain yet.
   * When it fails the next node gets it. Throws `NodesUnavailableError` after several rounds, and
   * `RangeRefusedError`, `StateRefusedError` and `WrongChainError` at once.
   */
  ask<T>(task: (node: ChainNode, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>
}

/** What another try, or another node, does not change. */
const AT_ONCE = [RangeRefusedError, StateRefusedError, WrongChainError]
const MAX_ROUNDS = 6
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 10_000
/** Most providers give up themselves after 10 to 30 seconds. */
const TASK_TIMEOUT_MS = 30_000

export interface GroupOptions {
  clock?: Clock | undefined
  maxRounds?: number | undefined
  taskTimeoutMs?: number | undefined
}

/** Nodes of one network, tried in turn; the one that worked last is asked first. */
export function groupNodes(nodes: readonly ChainNode[], options: GroupOptions = {}): NodeGroup {
  const { clock = MONOTONIC_CLOCK, maxRounds = MAX_ROUNDS, taskTimeoutMs = TASK_TIMEOUT_MS } = options
  let preferred = 0

  return {
    members: nodes,
    async ask(task, signal) {
      let cause: unknown
      for (let tries = 0; tries < maxRounds * nodes.length; tries += 1) {
        const index = (preferred + tries) % nodes.length
        const node = nodes[index]
        if (!node) break
        const reason = new DOMException(`${node.name} took longer than ${taskTimeoutMs} ms`, 'TimeoutError')
        const limit = timeLimit(taskTimeoutMs, { clock, reason })
        try {
          const result = await task(node, AbortSignal.any([signal, limit.signal]))
          preferred = index
          return result
        } catch (error) {
          if (signal.aborted) throw signal.reason
          if (AT_ONCE.some(kind => error instanceof kind)) throw error
          cause = error
        } finally {
          limit.end()
        }
        const rounds = Math.floor((tries + 1) / nodes.length)
        if ((tries + 1) % nodes.length === 0 && rounds < maxRounds) await clock.sleep(delayMs(rounds), signal)
      }
      throw new NodesUnavailableError({ nodes: nodes.map(({ name }) => name), cause })
    },
  }
}

const delayMs = (rounds: number) =>
  (0.5 + Math.random() / 2) * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** rounds)
