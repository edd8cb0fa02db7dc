import { CHAINS, NETWORKS, type Network } from '../../events/networks.ts'
import type { ChainNode } from './chain-node.ts'
import { BadReplyError, isWrongAddress, NodesUnavailableError, WrongChainError } from './rpc-errors.ts'

/** Which chain a network's nodes have to be of. */
export interface ExpectedChain {
  network: Network
  /** The one chain id that is accepted; by default the network's own, and those of development nodes. */
  chainId?: number | undefined
}

/** Of anvil and Hardhat, and of Ganache and `geth --dev`: their chains stand in for any network. */
const DEVELOPMENT_CHAIN_IDS = [31_337, 1337]

export const isDevelopmentChain = (chainId: number): boolean => DEVELOPMENT_CHAIN_IDS.includes(chainId)

/** A node that takes longer is looked at when it is first needed. */
const FIRST_LOOK_MS = 5000

/**
 * Looks at every node before any is used. Throws `WrongChainError` as soon as one is of another chain, for then
 * the configuration is wrong, however many others are right, and `NodesUnavailableError` when all of their
 * addresses are wrong. Nodes that do not answer are left alone.
 */
export async function checkNodes(
  nodes: readonly ChainNode[],
  expected: ExpectedChain,
  signal: AbortSignal,
): Promise<void> {
  const done = new AbortController()
  const limited = AbortSignal.any([signal, done.signal, AbortSignal.timeout(FIRST_LOOK_MS)])
  const looks = nodes.map(async node => {
    try {
      await checkChain(node, expected, limited)
      return undefined
    } catch (error) {
      if (error instanceof WrongChainError) throw error
      return error
    }
  })
  try {
    const failures = await Promise.all(looks)
    if (failures.every(isWrongAddress)) {
      throw new NodesUnavailableError({ nodes: nodes.map(({ name }) => name), cause: failures.at(-1) })
    }
  } finally {
    done.abort()
  }
}

/** Asks a node for its chain, and resolves with its id. Throws `WrongChainError` for another one, be it of a network that is served or not. */
export async function checkChain(
  node: ChainNode,
  { network, chainId }: ExpectedChain,
  signal: AbortSignal,
): Promise<number> {
  const actual = parseChainId(await node.request('eth_chainId', [], signal))
  const own = CHAINS[network].chainId
  const other = NETWORKS.find(known => known !== network && CHAINS[known].chainId === actual)
  if (other) throw new WrongChainError({ node: node.name, network, expected: own, actual, other })
  const accepted = chainId === undefined ? [own, ...DEVELOPMENT_CHAIN_IDS] : [chainId]
  if (!accepted.includes(actual)) {
    throw new WrongChainError({ node: node.name, network, expected: chainId ?? own, actual })
  }
  return actual
}

function parseChainId(reply: unknown): number {
  const chainId = typeof reply === 'string' || typeof reply === 'number' ? Number(reply) : Number.NaN
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new BadReplyError('The node has no chain id')
  return chainId
}
