import { type ByteArray, type Hex, toRlp } from 'viem'
import * as z from 'zod/mini'
import type { BlockRule, ReceiptForm } from './chain-rules.ts'
import { bytesOf, quantityOf } from './rlp-values.ts'

const hex = (length?: number) => z.string().check(z.refine(value => bytesOf(value, length) !== undefined))
const quantity = z.string().check(z.refine(value => quantityOf(value) !== undefined))

/** The fields of a receipt that a proof needs, in the form that nodes return. */
export const receiptSchema = z.object({
  /** Nodes may omit the type of receipts that are older than typed transactions (EIP-2718). */
  type: z.nullish(quantity),
  transactionHash: z.nullish(hex(32).check(z.toLowerCase())),
  root: z.nullish(hex(32)),
  status: z.nullish(quantity),
  cumulativeGasUsed: quantity,
  logsBloom: hex(256),
  logs: z.array(z.object({ address: hex(20), topics: z.array(hex(32)), data: hex() })),
  depositNonce: z.nullish(quantity),
  depositReceiptVersion: z.nullish(quantity),
})

export type Receipt = z.infer<typeof receiptSchema>

/** Why receipts prove nothing. `reason` is a sentence without the final period. */
export interface Unproven {
  reason: string
  /** Whether a rule exists. If so, `reason` says why the node's reply does not fit the rule. */
  hasRule: boolean
}

/** Encodes a receipt as the receipts trie does (EIP-2718), or returns why the receipt cannot be encoded. */
export function encodeReceipt(receipt: Receipt, rule: BlockRule): { value: ByteArray } | Unproven {
  const type = Number(receipt.type ?? 0)
  const form = rule.forms.get(type)
  if (!form)
    return { reason: `It is unknown how receipts of type 0x${type.toString(16)} are encoded`, hasRule: false }
  const outcome = rule.outcome === 'root' ? bytesOf(receipt.root) : quantityOf(receipt.status)
  if (outcome === undefined) return { reason: `A receipt has no ${rule.outcome}`, hasRule: true }
  const body = toRlp(
    [
      outcome,
      quantityOf(receipt.cumulativeGasUsed) ?? '0x',
      receipt.logsBloom as Hex,
      receipt.logs.map(({ address, topics, data }) => [address as Hex, topics as Hex[], data as Hex]),
      ...fieldsOfDeposit(receipt, form),
    ],
    'bytes',
  )
  return { value: type === 0 || form === 'untyped' ? body : Buffer.concat([Buffer.of(type), body]) }
}

/** Since Canyon, receipts of deposits encode a nonce and a version. Nodes report no version for earlier receipts. */
function fieldsOfDeposit({ depositNonce, depositReceiptVersion }: Receipt, form: ReceiptForm): Hex[] {
  if (form !== 'deposit' || !depositReceiptVersion) return []
  return [quantityOf(depositNonce) ?? '0x', quantityOf(depositReceiptVersion) ?? '0x']
}
