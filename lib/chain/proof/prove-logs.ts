import { concat, type Hex, keccak256, numberToHex, stringToHex } from 'viem'
import * as z from 'zod/mini'
import type { BlockRule } from './chain-rules.ts'
import { encodeReceipt, type Receipt, receiptSchema, type Unproven } from './encode-receipt.ts'
import { orderedTrieRoot } from './ordered-trie.ts'

/** A block whose hash proves its header fields. */
export interface ProvenBlock {
  number: number
  hash: string
  receiptsRoot: string
  /** The transaction hashes in the order that the node reports. The receipts' root does not prove them. */
  transactionHashes: readonly string[]
}

export interface ProvenLog {
  address: string
  topics: string[]
  data: string
  transactionHash: string
  /** The position of the log in the block. The receipts' root commits to the order of the logs. */
  logIndex: number
}

const receiptsSchema = z.array(receiptSchema)

/**
 * Proves the logs only if the receipts' root equals the root in the header. The root does not cover transaction hashes,
 * so the hash in each receipt must be the hash of the block's transaction at the same position. State-sync logs are
 * separate, because no root commits to them.
 */
export function proveLogs(
  reply: unknown,
  { block, rule }: { block: ProvenBlock; rule: BlockRule },
): Unproven | { logs: ProvenLog[]; stateSyncLogs: ProvenLog[] } {
  const parsed = receiptsSchema.safeParse(reply)
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.')
    return { reason: `The receipts have an unexpected form${path ? ` at ${path}` : ''}`, hasRule: true }
  }
  const apart = rule.mayHaveStateSync ? stateSyncHash(block) : undefined
  const receipts = parsed.data.filter(({ transactionHash }) => transactionHash !== apart || !apart)
  const hashes = block.transactionHashes.filter(hash => hash !== apart)
  const unproven = doubtPlaces(receipts, hashes) ?? doubtRoot(receipts, { block, rule })
  if (unproven) return unproven
  const logs = logsOf(receipts, { hashes, firstIndex: 0 })
  if (!apart) return { logs, stateSyncLogs: [] }
  const others = parsed.data.filter(({ transactionHash }) => transactionHash === apart)
  if (others.length === 0 && block.transactionHashes.includes(apart))
    return { reason: 'The node returned no receipt for the state-sync transaction', hasRule: true }
  return { logs, stateSyncLogs: logsOf(others, { hashes: others.map(() => apart), firstIndex: logs.length }) }
}

function doubtPlaces(receipts: readonly Receipt[], hashes: readonly string[]): Unproven | undefined {
  if (receipts.length !== hashes.length) {
    const reason = `The node returned ${receipts.length} receipts for ${hashes.length} transactions`
    return { reason, hasRule: true }
  }
  const wrong = receipts.findIndex(
    ({ transactionHash }, index) => transactionHash && transactionHash !== hashes[index],
  )
  if (wrong < 0) return undefined
  return { reason: `The receipt at index ${wrong} belongs to a transaction at another index`, hasRule: true }
}

function doubtRoot(
  receipts: readonly Receipt[],
  { block, rule }: { block: ProvenBlock; rule: BlockRule },
): Unproven | undefined {
  const values = []
  for (const receipt of receipts) {
    const encoded = encodeReceipt(receipt, rule)
    if ('reason' in encoded) return encoded
    values.push(encoded.value)
  }
  return orderedTrieRoot(values) === block.receiptsRoot
    ? undefined
    : { reason: 'The receipts do not match the receipts root in the header', hasRule: true }
}

function logsOf(
  receipts: readonly Receipt[],
  { hashes, firstIndex }: { hashes: readonly string[]; firstIndex: number },
): ProvenLog[] {
  return receipts
    .flatMap(({ logs }, place) => logs.map(log => ({ ...log, transactionHash: hashes[place] ?? '' })))
    .map((log, index) => ({ ...log, logIndex: firstIndex + index }))
}

/** Polygon's nodes report this hash for state-sync, which has no transaction (bor, core/types/bor_receipt.go). */
const stateSyncHash = ({ number, hash }: ProvenBlock): Hex =>
  keccak256(concat([stringToHex('matic-bor-receipt-'), numberToHex(number, { size: 8 }), hash as Hex]))
