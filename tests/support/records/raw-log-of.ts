import { type AbiEvent, encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import type { EventRecord } from '../../../lib/events/record.ts'

/** The events as the interface lists them, declared independently of the service's code. */
export const EVENTS_ABI = parseAbi([
  'event Minted(address indexed creator, address indexed initialOwner, string bucketHash, uint256 tokenId, uint256 quantity)',
  'event MintedBatch(address indexed token, address indexed owner, uint256[] tokenIds, uint256[] quantities)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
])

export function rawLogOf(record: EventRecord) {
  const { network, address, blockNumber, blockHash, transactionHash, logIndex } = record
  const blockTimestamp = Date.parse(record.createdAt) / 1000
  const { topics, data } = encode(record)
  return { network, address, topics, data, blockNumber, blockHash, blockTimestamp, transactionHash, logIndex }
}

export const ndjson = (lines: readonly unknown[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('')

function encode(record: EventRecord) {
  type Numbers = { tokenIds?: string[]; quantities?: string[]; tokenId?: string; quantity?: string }
  const { tokenIds = [], quantities = [], tokenId = 0, quantity = 0 } = record as Numbers
  const [ids, values] = [tokenIds.map(BigInt), quantities.map(BigInt)]
  const ofSingles = { id: ids[0], value: values[0], tokenId: BigInt(tokenId), quantity: BigInt(quantity) }
  const args = { ...record, ids, values, tokenIds: ids, quantities: values, ...ofSingles }
  const topics = encodeEventTopics({ abi: EVENTS_ABI, eventName: record.event, args: args as never })
  const { inputs } = EVENTS_ABI.find(({ name }) => name === record.event) as AbiEvent
  const own = inputs.filter(({ indexed }) => !indexed)
  const data = encodeAbiParameters(
    own,
    own.map(({ name }) => args[name as keyof typeof args]),
  )
  return { topics: topics as string[], data }
}
