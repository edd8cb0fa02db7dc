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

/** The names of the standard's parameters in records, which have lists of ids and quantities. */
const LISTS: Record<string, string> = {
  ...{ id: 'tokenIds', ids: 'tokenIds', value: 'quantities', values: 'quantities' },
}

/** Returns addresses in lower case, numbers as decimal strings, and ids and quantities as lists. */
const ownFields = (args: object): object =>
  Object.fromEntries(
    Object.entries(args).map(([name, given]) => {
      const list = LISTS[name]
      if (list !== undefined) return [list, [given].flat().map(String)]
      if (Array.isArray(given)) return [name, given.map(String)]
      return [name, name === 'bucketHash' ? given : String(given).toLowerCase()]
    }),
  )
