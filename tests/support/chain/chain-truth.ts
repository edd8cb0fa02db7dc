import { decodeEventLog } from 'viem'
import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { EVENTS_ABI as abi } from '../records/raw-log-of.ts'
import type { TestChain } from './chain.ts'

interface Log {
  address: string
  topics: [`0x${string}`, ...`0x${string}`[]]
  data: `0x${string}`
  blockNumber: string
  blockHash: string
  transactionHash: string
  logIndex: string
}

export async function chainEvents(
  chain: TestChain,
  network: Network,
  { fromBlock = 0, toBlock }: { fromBlock?: number; toBlock?: number } = {},
): Promise<EventRecord[]> {
  const last = toBlock ?? (await chain.head())
  const range = { fromBlock: hex(fromBlock), toBlock: hex(last) }
  const logs = (await chain.request('eth_getLogs', [range])) as Log[]
  const times = new Map<string, string>()
  const records: EventRecord[] = []
  for (const log of logs) {
    const decoded = decode(log)
    if (!decoded) continue
    const { eventName: event, args } = decoded
    if (!times.has(log.blockHash)) {
      const block = (await chain.request('eth_getBlockByNumber', [log.blockNumber, false])) as {
        hash: string
        timestamp: string
      }
      if (block.hash !== log.blockHash) throw new Error('The chain has changed while it was read')
      times.set(log.blockHash, new Date(Number(block.timestamp) * 1000).toISOString())
    }
    const { transactionHash, blockHash, address } = log
    const logIndex = Number(log.logIndex)
    records.push({
      id: `${network}:${transactionHash}:${logIndex}`,
      event,
      network,
      address: address.toLowerCase(),
      blockNumber: Number(log.blockNumber),
      blockHash,
      transactionHash,
      logIndex,
      createdAt: times.get(blockHash),
      ...ownFields(args),
    } as EventRecord)
  }
  return records
}

const hex = (value: number) => `0x${value.toString(16)}`

function decode(log: Log) {
  try {
    return decodeEventLog({ abi, ...log })
  } catch {
    return undefined
  }
}

/** Returns addresses in lower case, numbers as decimal strings, and ids and quantities as lists. */
function ownFields(args: object): object {
  const { id, ids, value, values, ...rest } = args as Record<string, unknown>
  const tokenIds = ids ?? (id === undefined ? undefined : [id])
  const quantities = values ?? (value === undefined ? undefined : [value])
  return Object.fromEntries(
    Object.entries({
      ...rest,
      tokenIds: tokenIds ?? rest.tokenIds,
      quantities: quantities ?? rest.quantities,
    })
      .filter(([, given]) => given !== undefined)
      .map(([name, given]) => [name, plain(name, given)]),
  )
}

function plain(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value === 'bigint') return String(value)
  return name === 'bucketHash' ? value : String(value).toLowerCase()
}
