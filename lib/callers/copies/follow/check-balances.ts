import { type Address, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import type { ChainNode } from '../../../chain/nodes/chain-node.ts'
import { NodesUnavailableError } from '../../../chain/nodes/rpc-errors.ts'
import { ZERO_ADDRESS } from '../../../events/event-kinds.ts'
import { CHAINS, NETWORKS } from '../../../events/networks.ts'
import type { EventCopy } from '../open-copy.ts'

interface CheckOptions {
  node: ChainNode
  /** The last indexed block of each network, from a response header of the page that brought the copy up to date. */
  indexedThrough: string | undefined
  /**
   * The user to whom the copy is restricted. Other users' balances are not checked, because the copy lacks some of
   * their transfers.
   */
  owner: string | undefined
  signal: AbortSignal
  /** Limits the time to read the node's chain id and, separately, the time to read all balances. */
  timeoutMs?: number
}

export interface BalanceCheck {
  network: string
  blockNumber: number
  equal: number
  different: string[]
  /** The number of balances that the node did not return, for example because the contract rejected the call. */
  untold: number
}

const TIMEOUT_MS = 60_000
/** The maximum number of receivers whose balances are checked, and the maximum number of senders. */
const SAMPLE = 100

const abi = parseAbi(['function balanceOf(address account, uint256 id) view returns (uint256)'])

/**
 * Compares randomly chosen balances of an up-to-date copy with the balances in the contracts at the copy's last block.
 */
export async function checkBalances(
  copy: EventCopy,
  { node, indexedThrough, owner: only, signal, timeoutMs = TIMEOUT_MS }: CheckOptions,
): Promise<BalanceCheck> {
  const limited = () => AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const network = await networkOf(copy, { node, signal: limited() })
  const blockNumber = await blockOf(copy, { network, indexedThrough })
  const check: BalanceCheck = { network, blockNumber, equal: 0, different: [], untold: 0 }
  const balances = [
    ...(await drawBalances(copy, { network, of: 'to_address', only })),
    ...(await drawBalances(copy, { network, of: 'from_address', only })),
  ]
  const limit = limited()
  await Promise.all(
    balances.map(async ({ address = '', token_id = '', owner = '', quantity = '' }) => {
      const data = encodeFunctionData({ abi, args: [owner as Address, BigInt(token_id)] })
      const call = [{ to: address, data }, `0x${blockNumber.toString(16)}`]
      const told = await node.request('eth_call', call, limit).then(
        result => decodeFunctionResult({ abi, data: result as Address }),
        () => undefined,
      )
      signal.throwIfAborted()
      if (told === undefined) check.untold += 1
      else if (told === BigInt(quantity)) check.equal += 1
      else
        check.different.push(
          `${owner} has ${told} of token ${token_id} of ${address} according to the contract, but ${BigInt(quantity)} in the copy`,
        )
    }),
  )
  return check
}

/**
 * Returns the network with the node's chain id. If no network has this id and the copy has only one network, returns
 * the copy's network. Throws if neither applies, or if the copy has no transfers of the network.
 */
async function networkOf(copy: EventCopy, { node, signal }: Pick<CheckOptions, 'node' | 'signal'>) {
  const chainId = Number(
    await node.request('eth_chainId', [], signal).catch(cause => {
      throw new NodesUnavailableError({ nodes: [node.name], cause })
    }),
  )
  const known = NETWORKS.find(network => CHAINS[network].chainId === chainId)
  const copied = (await copy.read('SELECT DISTINCT network FROM transfers')).map(
    ({ network = '' }) => network,
  )
  const network = known ?? (copied.length === 1 ? copied[0] : undefined)
  if (network === undefined || !copied.includes(network)) {
    throw new Error(
      `${node.name} serves chain ${chainId}, but the copy has no events of that chain: use a node of one of the copy's networks (--check)`,
    )
  }
  return network
}

/**
 * Returns the block of the copy's last event, or the last indexed block if it is higher, because a node may have
 * discarded the state at lower blocks. An event that was loaded from a file can be above the last indexed block.
 */
async function blockOf(
  copy: EventCopy,
  { network, indexedThrough = '' }: { network: string; indexedThrough: string | undefined },
): Promise<number> {
  const [, indexed = 0] = new RegExp(`(?:^|, )${network}=(\\d+)@`).exec(indexedThrough) ?? []
  const [row] = await copy.read(`SELECT max(block_number) AS block FROM events WHERE network = '${network}'`)
  return Math.max(Number(indexed), Number(row?.block))
}

/** An owner who has sent all tokens away has no row in `balances`, so the balance is 0. */
const drawBalances = (
  copy: EventCopy,
  { network, of, only }: { network: string; of: 'to_address' | 'from_address'; only: string | undefined },
) =>
  copy.read(`SELECT drawn.address, drawn.token_id, drawn.owner, coalesce(balances.quantity, 0) AS quantity
    FROM (
      SELECT network, address, token_id, ${of} AS owner FROM transfers
      WHERE network = '${network}' AND ${of} ${only === undefined ? `<> '${ZERO_ADDRESS}'` : `= '${only.toLowerCase()}'`} ORDER BY random() LIMIT ${SAMPLE}
    ) AS drawn
    LEFT JOIN balances ON balances.network = drawn.network AND balances.address = drawn.address
      AND balances.token_id = drawn.token_id AND balances.owner = drawn.owner`)
