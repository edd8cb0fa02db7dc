import { type Address, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import type { Call } from '../../../infra/recording/activity.ts'
import { nodeClient, startAnvil } from '../../../infra/recording/start-anvil.ts'
import { useStarted } from '../runner/use-started.ts'
import { compiledContract } from './compiled-contract.ts'

/** A real node with its chain. Blocks are mined only on request, each one second after the previous block. */
export type TestChain = Awaited<ReturnType<typeof startChain>>

const GAS = 30_000_000n
/** The gas limit of a block, which is high enough for transfers of thousands of ids. */
const BLOCK_GAS = 10_000_000_000

/** Starts a node and deploys two contracts in its first block, the n-th contract by the n-th user. */
export async function startChain() {
  const { abi, bytecode } = await compiledContract('Collectibles')
  const options = `--no-mining --order fifo --gas-limit ${BLOCK_GAS} --block-base-fee-per-gas 0 --accounts 8`
  const { rpcUrl, stop } = await startAnvil(options.split(' '))
  const client = nodeClient(rpcUrl)
  const users = (await client.getAddresses()).map(address => address.toLowerCase() as Address)
  const deployers = users.slice(0, 2)
  const contracts = deployers.map(from => getContractAddress({ from, nonce: 0n }).toLowerCase() as Address)

  async function send({ from, to, data }: { from: Address; to?: Address | undefined; data: Hex }) {
    const free = { gas: GAS * 100n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n, chain: null }
    await client.sendTransaction({ account: from, to, data, ...free })
  }
  async function mineNow() {
    await client.mine({ blocks: 1, interval: 1 })
    const { transactions, number } = await client.getBlock()
    for (const hash of transactions) {
      const { status } = await client.getTransactionReceipt({ hash })
      if (status !== 'success') throw new Error(`The transaction ${hash} in block ${number} failed`)
    }
  }
  const transactionOf = ({ by, contract, functionName, args }: Call) => ({
    from: by,
    to: contracts[contract],
    data: encodeFunctionData({ abi, functionName, args }),
  })

  for (const from of deployers) await send({ from, data: bytecode })
  await mineNow()
  return {
    ...{ rpcUrl, stop, users, contracts },
    /** Mines a block with these calls. Throws if a call fails. */
    async mine(calls: readonly Call[]) {
      for (const call of calls) await send(transactionOf(call))
      await mineNow()
    },
    async mineEmpty(blocks: number) {
      await client.mine({ blocks, interval: 1 })
    },
    /**
     * Replaces the last `depth` blocks with as many new blocks. `calls[n]` contains the calls of the n-th new block,
     * where n starts at 0. Throws if the node has lost its contracts, because calls would then succeed without emitting
     * events. A node loses its contracts when its chain has about a thousand blocks.
     */
    async reorganise(depth: number, calls: readonly (readonly Call[])[] = []) {
      const pairs = calls.flatMap((ofBlock, index) =>
        ofBlock.map(call => [{ ...transactionOf(call), gas: `0x${GAS.toString(16)}` }, index]),
      )
      await client.request({ method: 'anvil_reorg', params: [depth, pairs] } as never)
      for (const address of contracts) {
        if (!(await client.getCode({ address }))) throw new Error(`The node has lost the contract ${address}`)
      }
    },
    /** The timestamp is in Unix seconds. */
    async block(number: number | 'latest') {
      const params = [number === 'latest' ? number : `0x${number.toString(16)}`, false]
      const block = await client.request({ method: 'eth_getBlockByNumber', params } as never)
      const { hash, ...header } = block as { number: string; hash: string; timestamp: string }
      return { number: Number(header.number), hash, timestamp: Number(header.timestamp) }
    },
    head: async () => Number(await client.getBlockNumber({ cacheTime: 0 })),
    request: (method: string, params: unknown[] = []): Promise<unknown> =>
      client.request({ method, params } as never),
  }
}

export const useChain = () => useStarted(startChain)
