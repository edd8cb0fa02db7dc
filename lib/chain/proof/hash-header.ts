import { type Hex, keccak256, toRlp } from 'viem'
import { bytesOf, quantityOf } from './rlp-values.ts'

/** A block as `eth_getBlockByNumber` returns it, with all fields. */
export type RawBlock = Readonly<Record<string, unknown>>

type ReadField = (value: unknown) => Hex | undefined

const hash: ReadField = value => bytesOf(value, 32)

/** The fields of every header, in the header's order (Yellow Paper, 4.3.4). */
const FIELDS: Readonly<Record<string, ReadField>> = {
  parentHash: hash,
  sha3Uncles: hash,
  miner: value => bytesOf(value, 20),
  stateRoot: hash,
  transactionsRoot: hash,
  receiptsRoot: hash,
  logsBloom: value => bytesOf(value, 256),
  difficulty: quantityOf,
  number: quantityOf,
  gasLimit: quantityOf,
  gasUsed: quantityOf,
  timestamp: quantityOf,
  extraData: value => bytesOf(value),
  mixHash: hash,
  nonce: value => bytesOf(value, 8),
}
/** EIP-1559, 4895, 4844 (two fields), 4788 and 7685 added these fields in this order, so earlier blocks lack them. */
const LATER_FIELDS: Readonly<Record<string, ReadField>> = {
  baseFeePerGas: quantityOf,
  withdrawalsRoot: hash,
  blobGasUsed: quantityOf,
  excessBlobGas: quantityOf,
  parentBeaconBlockRoot: hash,
  requestsHash: hash,
}
const ALL_FIELDS = Object.entries({ ...FIELDS, ...LATER_FIELDS })
/** Fields outside the header: the body, totals, and values derived from header fields (arbitrum, bnb-chain). */
const BESIDE_HEADER = new Set([
  ...['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'],
  ...['l1BlockNumber', 'sendCount', 'sendRoot', 'milliTimestamp'],
])

/** Undefined if the header hashes to the block's hash, which proves all fields of the header, but nothing else. */
export function doubtHeader(block: RawBlock): string | undefined {
  const header: Hex[] = []
  for (const [name, read] of ALL_FIELDS) {
    const value = block[name]
    if ((value === undefined || value === null) && name in LATER_FIELDS) continue
    const encoded = read(value)
    if (encoded === undefined) return `The header's field ${name} is missing or malformed`
    header.push(encoded)
  }
  if (keccak256(toRlp(header)) === String(block.hash).toLowerCase()) return undefined
  const unknown = Object.keys(block).filter(name => !isKnown(name))
  return unknown.length === 0
    ? 'The hash of the header differs from the block hash that the node returned'
    : `The header has unknown fields: ${unknown.slice(0, 5).join(', ')}`
}

const isKnown = (name: string) => name in FIELDS || name in LATER_FIELDS || BESIDE_HEADER.has(name)
