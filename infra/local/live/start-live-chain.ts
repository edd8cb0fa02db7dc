import { setTimeout as delay } from 'node:timers/promises'
import { encodeFunctionData, type Hex } from 'viem'
import type { Network } from '../../../lib/events/networks.ts'
import { type Call, call } from '../../recording/activity.ts'
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
/** The first block's number, which the documentation's examples use, so that they also work with the live chain. */
export const FIRST_BLOCK = 34_160_634
export const BLOCK_SECONDS = 2
/** Anvil marks a block as final after two epochs. */
const SLOTS_IN_AN_EPOCH = 4
export const FINAL_DEPTH = 2 * SLOTS_IN_AN_EPOCH
export const REORGANISED_BLOCKS = 3
/** The number of blocks with events that are mined before the chain is ready, so that the first answers have events. */
const EARLIER_BLOCKS = 24

export interface LiveChain extends Part {
  rpcUrl: string
  /** The number of the newest block at the time the chain was ready. */
  head: number
}

interface LiveChainOptions {
  /** 0 means any free port. */
  port: number
  reorganizeEverySeconds: number
}

/**
 * Starts a development node whose chain gets a block with events every few seconds, and an occasional reorganisation.
 * The chain itself uses the first account only to deploy the contract, so users can send transactions from this
 * account. Resolves when the chain has events.
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
  const approvals = wallets.map(by => call(by, 0, 'setApprovalForAll', market, true))
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
    anvil.ended.then(how => `The node (anvil) ended (${how})`),
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
  /** The accounts that send the chain's own transactions, in lower case. */
  own: ReadonlySet<string>
  /** Returns a round's transactions, as one list for each block. */
  roundOf: (number: number) => Transaction[][]
  reorganizeEverySeconds: number
  signal: AbortSignal
  /** Called when the block times have caught up with the current time. */
  onCaughtUp: () => void
}

async function live({ client, own, roundOf, reorganizeEverySeconds, signal, onCaughtUp }: Life) {
  let reorganizeAt = nowSeconds() + reorganizeEverySeconds
  /** The number of blocks to mine without a pause. */
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
      // The node cannot remove blocks from a long chain, but can revert to a snapshot. The next round's blocks then
      // immediately replace the blocks that were mined since the snapshot.
      const before = await client.snapshot()
      const [headNumber, seconds] = [await client.getBlockNumber({ cacheTime: 0 }), headSeconds]
      for (const transactions of blocks.slice(0, REORGANISED_BLOCKS)) await nextBlock(transactions)
      await delay(BLOCK_SECONDS * 1000, undefined, { signal })
      const others = await othersSince(client, { blockNumber: headNumber, own })
      // Empties the pool, because the node would otherwise run a pending transaction, and reject it, before the
      // sender's earlier transactions are sent again.
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

/** Returns other senders' transactions that are pending or above `blockNumber`. A reorganisation must not lose them. */
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
