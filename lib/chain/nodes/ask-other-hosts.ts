import type { ExpectedChain } from './check-chain.ts'
import type { NodeGroup } from './node-group.ts'
import { type CheckedNode, type NodesOfChain, nodesOfChain } from './nodes-of-chain.ts'
import { WrongChainError } from './rpc-errors.ts'

/** The returned function resolves with undefined if there is no other host, or if the task fails on all other hosts. */
export function askOtherHosts({ nodes, ...expected }: ExpectedChain & { nodes: NodeGroup }) {
  const groups = new Map<string, NodesOfChain | undefined>()

  function othersThan({ name, chainId }: CheckedNode): NodesOfChain | undefined {
    if (groups.has(name)) return groups.get(name)
    const others = nodes.othersThan(name)
    const chain = others && nodesOfChain({ ...expected, chainId, nodes: others })
    groups.set(name, chain)
    return chain
  }

  return async <T>(
    node: CheckedNode,
    task: (other: CheckedNode, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | undefined> => {
    try {
      return await othersThan(node)?.ask(task, signal)
    } catch (error) {
      if (signal.aborted || error instanceof WrongChainError) throw error
      return undefined
    }
  }
}
