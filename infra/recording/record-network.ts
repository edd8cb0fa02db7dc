import {
  createPublicClient,
  encodeFunctionData,
  getContractAddress,
  hexToNumber,
  http,
  numberToHex,
  type PublicClient,
} from 'viem'
import { DECODERS, topicsOf } from '../../lib/chain/logs/event-decoders.ts'
import type { RawLog } from '../../lib/chain/logs/raw-log.ts'
import { CHAINS, type Network } from '../../lib/events/networks.ts'
import { activity, type Call, lastBlock } from './activity.ts'
import type { CompiledContract } from './compile-contract.ts'
import {
  mineBlock,
  type NodeClient,
  nodeClient,
  nodeOptions,
  startAnvil,
  type Transaction,
} from './start-anvil.ts'

export interface RecordingPlan {
  network: Network
  firstBlock: number
  startSeconds: number
  blockSeconds: number
  rounds: number
}

/** 1 July 2024, noon UTC. This time is later than all real logs of these networks in the bundled data. */
const startSeconds = 1_719_835_200

/**
 * The recordings in the bundled data. Their block numbers and block times are close to those of the real chains at
 * `startSeconds`. The bundled data has no real logs of bnb-chain or arbitrum, so their recordings are longer.
 */
export const RECORDING_PLANS: readonly RecordingPlan[] = [
  { network: 'bnb-chain', firstBlock: 40_080_000, startSeconds, blockSeconds: 3, rounds: 3 },
  { network: 'arbitrum', firstBlock: 227_600_000, startSeconds, blockSeconds: 0.25, rounds: 3 },
  { network: 'polygon', firstBlock: 58_820_000, startSeconds, blockSeconds: 2, rounds: 1 },
  { network: 'base', firstBlock: 16_520_000, startSeconds, blockSeconds: 2, rounds: 1 },
  { network: 'ethereum', firstBlock: 20_212_000, startSeconds, blockSeconds: 12, rounds: 1 },
]

type RecordedLog = RawLog & { source: string }

const QUIET_BLOCKS = 20

/** Runs the activity on a new node, with two contracts of different owners. Resolves with the logs of known events. */
export async function recordNetwork(plan: RecordingPlan, contract: CompiledContract): Promise<RecordedLog[]> {
  const { network, firstBlock, startSeconds } = plan
  // The node mines a block only on request, and keeps the order of the calls, so every recording is the same.
  const { chainId } = CHAINS[network]
  const anvil = await startAnvil(
    nodeOptions({ 'chain-id': chainId, number: firstBlock, timestamp: startSeconds }),
  )
  try {
    await performActivity(nodeClient(anvil.rpcUrl), { ...plan, ...contract })
    return await readLogs(createPublicClient({ transport: http(anvil.rpcUrl) }), plan)
  } finally {
    await anvil.stop()
  }
}

async function performActivity(
  client: NodeClient,
  { startSeconds, blockSeconds, rounds, abi, bytecode }: RecordingPlan & CompiledContract,
) {
  const [first, second, ...others] = await client.getAddresses()
  if (!first || !second) throw new Error('The node has no accounts')
  const deployers = [first, second]
  const contracts = deployers.map(from => getContractAddress({ from, nonce: 0n }))
  let blocks = 0
  const mineNext = async (transactions: Transaction[]) => {
    blocks += 1
    await mineBlock(client, transactions, Math.floor(startSeconds + blocks * blockSeconds))
    await checkReceipts(client)
  }
  const transactionOf = ({ by, contract, functionName, args }: Call) => ({
    from: by,
    to: contracts[contract],
    data: encodeFunctionData({ abi, functionName, args }),
  })

  await mineNext(deployers.map(from => ({ from, data: bytecode })))
  const users = [first, second, ...others]
  for (let round = 0; round < rounds; round++) {
    for (let quiet = 0; quiet < QUIET_BLOCKS; quiet++) await mineNext([])
    for (const calls of activity(users, round)) await mineNext(calls.map(transactionOf))
  }
  await mineNext(lastBlock(users).map(transactionOf))
}

async function checkReceipts(client: NodeClient) {
  const { number, transactions } = await client.getBlock()
  for (const hash of transactions) {
    const { status } = await client.getTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`The transaction ${hash} in block ${number} failed`)
  }
}

async function readLogs(
  client: PublicClient,
  { network, firstBlock }: RecordingPlan,
): Promise<RecordedLog[]> {
  const version = await client.request({ method: 'web3_clientVersion' })
  const source = `recorded from ${version}, chain id ${CHAINS[network].chainId}, by npm run record-logs`
  const logs = await client.request({
    method: 'eth_getLogs',
    // The range does not begin at 0, because the node tries every number in it, and the client might time out.
    params: [{ fromBlock: numberToHex(firstBlock), toBlock: 'latest', topics: [topicsOf(DECODERS)] }],
  })
  return Promise.all(
    logs.map(async log => {
      if (!log.blockNumber || !log.blockHash || !log.transactionHash || !log.logIndex) {
        throw new Error('The node returned a log that is not in a block')
      }
      const { timestamp } = await client.getBlock({ blockHash: log.blockHash })
      return {
        network,
        address: log.address,
        topics: log.topics,
        data: log.data,
        blockNumber: hexToNumber(log.blockNumber),
        blockHash: log.blockHash,
        blockTimestamp: Number(timestamp),
        transactionHash: log.transactionHash,
        logIndex: hexToNumber(log.logIndex),
        source,
      }
    }),
  )
}
