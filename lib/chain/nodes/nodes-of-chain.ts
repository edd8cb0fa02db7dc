import type { ChainNode } from './chain-node.ts'
import { checkChain, type ExpectedChain } from './check-chain.ts'
import type { NodeGroup } from './node-group.ts'
import { WrongChainError } from './rpc-errors.ts'

/** A node whose chain id has been checked and is accepted for its network. */
export interface CheckedNode extends ChainNode {
  chainId: number
}

export interface NodesOfChain {
  /** Like `NodeGroup.ask`, but if another node takes over, checks that node's chain id before any other request. */
  ask<T>(task: (node: CheckedNode, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Requests a node's chain id. Throws `WrongChainError`. */
  check(node: ChainNode, signal: AbortSignal): Promise<CheckedNode>
}

/**
 * Checks the chain id of each node before use, and sends no further requests to a node of a different chain. All nodes
 * must have the chain id of the node that was checked first, because the proof rules depend on the chain id.
 */
export function nodesOfChain({
  nodes,
  ...expected
}: ExpectedChain & { nodes: Pick<NodeGroup, 'ask'> }): NodesOfChain {
  /** Contains one object per node, so that tasks can compare nodes by identity. */
  const checkedNodes = new Map<ChainNode, CheckedNode>()
  let lastChecked: ChainNode | undefined
  let groupId = expected.chainId

  async function check(node: ChainNode, signal: AbortSignal) {
    const chainId = await checkChain(node, { ...expected, chainId: groupId }, signal)
    groupId = chainId
    const checked = Object.assign(checkedNodes.get(node) ?? { ...node }, { chainId })
    checkedNodes.set(node, checked)
    lastChecked = node
    return checked
  }

  return {
    check,
    ask: (task, signal) =>
      nodes.ask(async (node, limited) => {
        const known = node === lastChecked ? checkedNodes.get(node) : undefined
        return task(known ?? (await check(node, limited)), limited)
      }, signal),
  }
}

/**
 * Returns a function that runs a task on a node on another host. The function resolves with undefined if there are no
 * such nodes, or if the task fails on all of them.
 */
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
