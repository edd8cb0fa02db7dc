import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi } from 'viem'
import type { EventRecord } from '../../../lib/events/record.ts'

const abi = parseAbi([
  'event Minted(address indexed creator, address indexed initialOwner, string _bucketHash, uint256 _tokenId, uint256 _quantity)',
  'event MintedBatch(address indexed token, address indexed owner, uint256[] _tokenIds, uint256[] _quantities)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
])

/** A log as it is written in a file of logs. */
export interface LogJson {
  network: string
  address: string
  topics: string[]
  data: string
  blockNumber: number | string
  blockHash: string
  blockTimestamp: number | string
  transactionHash: string
  logIndex: number | string
  [further: string]: unknown
}

export function rawLogOf(record: EventRecord): LogJson {
  const { network, address, blockNumber, blockHash, transactionHash, logIndex } = record
  const blockTimestamp = Date.parse(record.createdAt) / 1000
  const { topics, data } = encode(record)
  return { network, address, topics, data, blockNumber, blockHash, blockTimestamp, transactionHash, logIndex }
}

export const ndjson = (lines: readonly unknown[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('')

const numbers = [{ type: 'uint256' }, { type: 'uint256' }] as const
const lists = [{ type: 'uint256[]' }, { type: 'uint256[]' }] as const

function encode(record: EventRecord): { topics: string[]; data: Hex } {
  const topicsOf = (args: Record<string, string>) =>
    encodeEventTopics({ abi, eventName: record.event, args: args as never }) as string[]
  switch (record.event) {
    case 'Minted': {
      const { creator, initialOwner, bucketHash, tokenId, quantity } = record
      const data = encodeAbiParameters(
        [{ type: 'string' }, ...numbers],
        [bucketHash, BigInt(tokenId), BigInt(quantity)],
      )
      return { topics: topicsOf({ creator, initialOwner }), data }
    }
    case 'MintedBatch': {
      const { token, owner } = record
      return { topics: topicsOf({ token, owner }), data: encodeAbiParameters(lists, bigints(record)) }
    }
    case 'TransferSingle': {
      const { operator, from, to } = record
      const [[id = 0n], [value = 0n]] = bigints(record)
      return { topics: topicsOf({ operator, from, to }), data: encodeAbiParameters(numbers, [id, value]) }
    }
    case 'TransferBatch': {
      const { operator, from, to } = record
      return { topics: topicsOf({ operator, from, to }), data: encodeAbiParameters(lists, bigints(record)) }
    }
    case 'OwnershipTransferred': {
      const { previousOwner, newOwner } = record
      return { topics: topicsOf({ previousOwner, newOwner }), data: '0x' }
    }
  }
}

const bigints = ({
  tokenIds,
  quantities,
}: {
  tokenIds: string[]
  quantities: string[]
}): [bigint[], bigint[]] => [tokenIds.map(BigInt), quantities.map(BigInt)]
