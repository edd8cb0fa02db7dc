import { type Clock, MONOTONIC_CLOCK, timeLimit } from '../../store/clock.ts'
import type { ChainNode } from './chain-node.ts'
import {
  isOutage,
  NodesUnavailableError,
  RangeRefusedError,
  StateRefusedError,
  UnprovenBlockError,
  WrongChainError,
} from './rpc-errors.ts'

export interface NodeGroup {
  /** The nodes of the group. Tasks try them in this order, beginning with the node on which a task last succeeded. */
  members: readonly ChainNode[]
  /**
   * Runs a task on one node from beginning to end, because two nodes may see different chains. If the task fails, it is
   * repeated on the next node. Throws `NodesUnavailableError` or `UnprovenBlockError` after several rounds over all
   * nodes. Immediately throws a `RangeRefusedError`, `StateRefusedError`, `WrongChainError` or final
   * `UnprovenBlockError`. If the node may have refused a range because of an outage, the next task begins with the next
   * node.
   */
  ask<T>(task: (node: ChainNode, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>
  /** The nodes on other hosts. Each of these nodes is tried only once. Undefined if there are none. */
  othersThan(name: string): NodeGroup | undefined
  /** A group for each node, so that a node that hangs does not delay the requests to the other nodes. */
  each(limits?: Pick<GroupOptions, 'maxRounds' | 'taskTimeoutMs'>): NodeGroup[]
  /** Makes the next task begin with this node. */
  prefer(node: ChainNode): void
}

const AT_ONCE = [RangeRefusedError, StateRefusedError, WrongChainError]
const MAX_ROUNDS = 6
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 10_000
/** The time limit for one attempt on one node. Most providers abort a request after 10 to 30 seconds anyway. */
const TASK_TIMEOUT_MS = 30_000

export interface GroupOptions {
  clock?: Clock | undefined
  maxRounds?: number | undefined
  taskTimeoutMs?: number | undefined
}

/** After each round in which all nodes fail, a task waits longer, up to ten seconds. */
export function groupNodes(nodes: readonly ChainNode[], options: GroupOptions = {}): NodeGroup {
  const { clock = MONOTONIC_CLOCK, maxRounds = MAX_ROUNDS, taskTimeoutMs = TASK_TIMEOUT_MS } = options
  let preferred = 0

  return {
    members: nodes,
    async ask(task, signal) {
      // Other tasks may change `preferred` while this task runs, but each round of this task must still try every node.
      const first = preferred
      let cause: unknown
      for (let tries = 0; tries < maxRounds * nodes.length; tries += 1) {
        const index = (first + tries) % nodes.length
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
          if (isFinal(error)) {
            // The next task requests a smaller range, and begins with another node, because this node may never answer.
            const mayBeOutage = error instanceof RangeRefusedError && isOutage(error.cause)
            if (limit.signal.aborted || mayBeOutage) preferred = (index + 1) % nodes.length
            throw error
          }
          cause = error
        } finally {
          limit.end()
        }
        const rounds = Math.floor((tries + 1) / nodes.length)
        if ((tries + 1) % nodes.length === 0 && rounds < maxRounds) await clock.sleep(delayMs(rounds), signal)
      }
      if (cause instanceof UnprovenBlockError) throw cause
      throw new NodesUnavailableError({ nodes: nodes.map(({ name }) => name), cause })
    },
    othersThan(name) {
      const others = nodes.filter(node => node.name !== name)
      return others.length > 0 ? groupNodes(others, { ...options, maxRounds: 1 }) : undefined
    },
    each: limits => nodes.map(node => groupNodes([node], { ...options, ...limits })),
    prefer(node) {
      preferred = Math.max(0, nodes.indexOf(node))
    },
  }
}

/** Whether an error ends a task immediately, without further attempts on any node. */
const isFinal = (error: unknown): boolean =>
  AT_ONCE.some(kind => error instanceof kind) || (error instanceof UnprovenBlockError && error.isFinal)

const delayMs = (rounds: number) =>
  (0.5 + Math.random() / 2) * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** rounds)
