import { CHAINS, NETWORKS, type Network } from '../../events/networks.ts'
import type { ChainNode } from './chain-node.ts'
import { BadReplyError, isWrongAddress, NodesUnavailableError, WrongChainError } from './rpc-errors.ts'

export interface ExpectedChain {
  network: Network
  /** The only accepted chain id. By default, the network's id and the ids of development chains are accepted. */
  chainId?: number | undefined
}

/** Anvil and Hardhat use 31337, and Ganache and `geth --dev` use 1337. Any network accepts both ids. */
const DEVELOPMENT_CHAIN_IDS = [31_337, 1337]

export const isDevelopmentChain = (chainId: number): boolean => DEVELOPMENT_CHAIN_IDS.includes(chainId)

interface FoundChain {
  node: string
  actual: number
}

/** The time limit for the check at startup. A node that takes longer is checked before its first use instead. */
const FIRST_LOOK_MS = 5000

/**
 * Checks the chain of every node before any node is used. Throws `WrongChainError` if a node's chain is not accepted,
 * or if two nodes have different chain ids, because the configuration is then wrong. Throws `NodesUnavailableError` if
 * all addresses are wrong. If at least one address may be right, nodes that do not answer are ignored.
 */
export async function checkNodes(
  nodes: readonly ChainNode[],
  expected: ExpectedChain,
  signal: AbortSignal,
): Promise<void> {
  const done = new AbortController()
  const limited = AbortSignal.any([signal, done.signal, AbortSignal.timeout(FIRST_LOOK_MS)])
  const found: FoundChain[] = []
  const failures: unknown[] = []
  const looks = nodes.map(async node => {
    try {
      found.push({ node: node.name, actual: await checkChain(node, expected, limited) })
    } catch (error) {
      if (error instanceof WrongChainError) throw error
      failures.push(error)
    }
  })
  try {
    await Promise.all(looks)
    checkOneChain(found, expected)
    if (found.length === 0 && failures.every(isWrongAddress)) {
      throw new NodesUnavailableError({ nodes: nodes.map(({ name }) => name), cause: failures.at(-1) })
    }
  } finally {
    done.abort()
  }
}

function checkOneChain(found: readonly FoundChain[], { network }: ExpectedChain): void {
  const ids = found.map(({ actual }) => actual)
  const own = CHAINS[network].chainId
  const expected = ids.includes(own) ? own : (ids[0] ?? own)
  const wrong = found.find(({ actual }) => actual !== expected)
  if (wrong) throw new WrongChainError({ ...wrong, network, expected })
}

/** Requests and returns a node's chain id. Throws `WrongChainError` if the id is not accepted. */
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
  if (!Number.isSafeInteger(chainId) || chainId < 1)
    throw new BadReplyError('The node did not return a valid chain id')
  return chainId
}
