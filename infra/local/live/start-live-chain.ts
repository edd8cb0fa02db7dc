import { setTimeout as delay } from 'node:timers/promises'
import { encodeFunctionData, type Hex } from 'viem'
import type { Network } from '../../../lib/events/networks.ts'
import type { Call } from '../../recording/activity.ts'
import { compileContract } from '../../recording/compile-contract.ts'
import {
  mineBlock,
  type NodeClient,
  nodeClient,
  nodeOptions,
  startAnvil,
  type Transaction,
} from '../../recording/start-anvil.ts'
import type { Part } from '../processes/running-parts.ts'
import { LIVE_CONTRACT } from '../start/event-files.ts'
import { trades } from './trades.ts'

export const LIVE_NETWORK: Network = 'base'
/** The first block, which the examples in the documentation name, so that they work with the live chain. */
export const FIRST_BLOCK = 34_160_634
export const BLOCK_SECONDS = 2
/** Anvil calls a block final after two epochs. */
const SLOTS_IN_AN_EPOCH = 4
export const FINAL_DEPTH = 2 * SLOTS_IN_AN_EPOCH
/** The number of blocks that a reorganisation replaces. */
export const REORGANISED_BLOCKS = 3
/** The number of blocks with events that exist when the chain is ready, so that the first answers are not empty. */
const EARLIER_BLOCKS = 24

export interface LiveChain extends Part {
  rpcUrl: string
  /** The newest block when the chain was ready. */
  head: number
}

interface LiveChainOptions {
  /** The port of the node. 0 means any free port. */
  port: number
  reorganizeEverySeconds: number
}

/**
 * Starts a development node with a chain that lives: a block with events every few seconds, and now and then a
 * reorganisation. The first of the node's accounts deploys the contract and does nothing else, so that users may use
 * it. Resolves when the chain has some blocks.
 */
export async function startLiveChain(options: LiveChainOptions): Promise<LiveChain> {
  const { abi, bytecode } = compileContract('Collectibles')
  const startSeconds = nowSeconds() - (EARLIER_BLOCKS + 1) * BLOCK_SECONDS
  const anvil = await startAnvil(
    nodeOptions({ number: FIRST_BLOCK, timestamp: startSeconds, 'slots-in-an-epoch': SLOTS_IN_AN_EPOCH }),
    options.port,
  )
  const stopping = new AbortController()
  const client = nodeClient(anvil.rpcUrl)
  const [owner, market, ...wallets] = await client.getAddresses()
  if (!owner || !market) throw new Error('The node has no accounts')
  const transactionOf = ({ by, functionName, args }: Call): Transaction => ({
    from: by,
    to: LIVE_CONTRACT,
    data: encodeFunctionData({ abi, functionName, args }),
  })
  const approvals = wallets.map(by => ({
    by,
    contract: 0,
    functionName: 'setApprovalForAll',
    args: [market, true],
  }))
  await mineBlock(client, [{ from: owner, data: bytecode }, ...approvals.map(transactionOf)], startSeconds)

  const earlier = Promise.withResolvers<void>()
  const living = live({
    client,
    own: new Set([market, ...wallets].map(address => address.toLowerCase())),
    roundOf: number => trades({ market, wallets }, number).map(calls => calls.map(transactionOf)),
    reorganizeEverySeconds: options.reorganizeEverySeconds,
    signal: stopping.signal,
    onCaughtUp: earlier.resolve,
  })
  const ended = Promise.race([
    anvil.ended.then(how => `The node anvil ended (${how})`),
    living.then(
      () => 'The chain was stopped',
      error => `The chain could not continue: ${(error as Error).message}`,
    ),
  ])
  const early = await Promise.race([earlier.promise, ended])
  if (early) throw new Error(early)
  return {
    rpcUrl: anvil.rpcUrl,
    head: Number(await client.getBlockNumber({ cacheTime: 0 })),
    ended,
    async stop() {
      stopping.abort()
      await living.catch(() => undefined)
      await anvil.stop()
    },
  }
}

interface Life {
  client: NodeClient
  /** The accounts of the chain's own transactions, in lower case. */
  own: ReadonlySet<string>
  /** Returns the transactions of each block of a round. */
  roundOf: (number: number) => Transaction[][]
  reorganizeEverySeconds: number
  signal: AbortSignal
  /** Called as soon as the blocks' times have reached the present. */
  onCaughtUp: () => void
}

/** Makes blocks until `signal` is aborted. */
async function live({ client, own, roundOf, reorganizeEverySeconds, signal, onCaughtUp }: Life) {
  let reorganizeAt = nowSeconds() + reorganizeEverySeconds
  /** The number of blocks to make without a pause. */
  let behind = EARLIER_BLOCKS
  let headSeconds = Number((await client.getBlock()).timestamp)

  async function nextBlock(transactions: Transaction[]) {
    if (behind > 0) {
      behind -= 1
      headSeconds += BLOCK_SECONDS
    } else {
      onCaughtUp()
      await delay(BLOCK_SECONDS * 1000, undefined, { signal })
      headSeconds = Math.max(headSeconds + 1, nowSeconds())
    }
    await mineBlock(client, transactions, headSeconds)
  }

  try {
    for (let number = 0; !signal.aborted; number++) {
      const blocks = roundOf(number)
      if (behind > 0 || nowSeconds() < reorganizeAt) {
        for (const transactions of blocks) await nextBlock(transactions)
        continue
      }
      // The node has no way to remove blocks of a long chain, but it can return to its state before them. The blocks of
      // the next round then take their place immediately.
      const before = await client.snapshot()
      const [headNumber, seconds] = [await client.getBlockNumber({ cacheTime: 0 }), headSeconds]
      for (const transactions of blocks.slice(0, REORGANISED_BLOCKS)) await nextBlock(transactions)
      await delay(BLOCK_SECONDS * 1000, undefined, { signal })
      const others = await othersSince(client, { blockNumber: headNumber, own })
      // Otherwise, the node would mine a waiting transaction before those that it follows, and would therefore reject
      // it.
      await client.request({ method: 'anvil_dropAllTransactions' } as never)
      await client.revert({ id: before })
      for (const serializedTransaction of others) await client.sendRawTransaction({ serializedTransaction })
      headSeconds = seconds
      behind = REORGANISED_BLOCKS
      reorganizeAt = nowSeconds() + reorganizeEverySeconds
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/**
 * Reads the transactions that somebody else has sent and that are in no block up to `blockNumber`, including those that
 * still wait for their block, because on a real chain they would not be lost.
 */
async function othersSince(
  client: NodeClient,
  { blockNumber, own }: { blockNumber: bigint; own: ReadonlySet<string> },
): Promise<Hex[]> {
  const found: Hex[] = []
  const head = await client.getBlockNumber({ cacheTime: 0 })
  const numbers = Array.from({ length: Number(head - blockNumber) }, (_, at) => blockNumber + 1n + BigInt(at))
  for (const block of [
    ...numbers.map(number => ({ blockNumber: number })),
    { blockTag: 'pending' as const },
  ]) {
    const { transactions } = await client.getBlock({ ...block, includeTransactions: true })
    for (const { hash, from } of transactions) {
      if (own.has(from.toLowerCase())) continue
      const raw = await client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never)
      found.push(raw as Hex)
    }
  }
  return found
}

const nowSeconds = () => Math.floor(Date.now() / 1000)
