import * as z from 'zod/mini'
import { addressSchema, countSchema, hashSchema, timeSchema, uint256Schema } from './field-schemas.ts'
import { NETWORKS } from './networks.ts'

interface Lists {
  tokenIds?: readonly unknown[]
  quantities?: readonly unknown[]
}

/** Says how ids and quantities differ in number, where EIP-1155 wants as many of each; undefined where they don't. */
export function unevenLists({ tokenIds = [], quantities = [] }: Lists): string | undefined {
  if (tokenIds.length === quantities.length) return undefined
  return `${tokenIds.length} tokenIds with ${quantities.length} quantities`
}

const evenLists = z.check<Lists>(({ value, issues }) => {
  const message = unevenLists(value)
  if (message !== undefined) issues.push({ code: 'custom', message, input: value })
})

const common = {
  id: z.string().check(z.regex(/^[a-z-]+:0x[0-9a-f]{64}:[0-9]+$/)),
  network: z.enum(NETWORKS),
  address: addressSchema,
  blockNumber: countSchema,
  blockHash: hashSchema,
  transactionHash: hashSchema,
  logIndex: countSchema,
  createdAt: timeSchema,
}

export const mintedSchema = z.strictObject({
  event: z.literal('Minted'),
  ...common,
  creator: addressSchema,
  initialOwner: addressSchema,
  bucketHash: z.string(),
  tokenId: uint256Schema,
  quantity: uint256Schema,
})

export const mintedBatchSchema = z
  .strictObject({
    event: z.literal('MintedBatch'),
    ...common,
    token: addressSchema,
    owner: addressSchema,
    tokenIds: z.array(uint256Schema),
    quantities: z.array(uint256Schema),
  })
  .check(evenLists)

export const transferSchema = z
  .strictObject({
    event: z.enum(['TransferSingle', 'TransferBatch']),
    ...common,
    operator: addressSchema,
    from: addressSchema,
    to: addressSchema,
    tokenIds: z.array(uint256Schema),
    quantities: z.array(uint256Schema),
  })
  .check(evenLists)

export const ownershipTransferredSchema = z.strictObject({
  event: z.literal('OwnershipTransferred'),
  ...common,
  previousOwner: addressSchema,
  newOwner: addressSchema,
})

/** One event as it is stored and as it is sent: the source of every type that describes an event. */
export const eventRecordSchema = z.discriminatedUnion('event', [
  mintedSchema,
  mintedBatchSchema,
  transferSchema,
  ownershipTransferredSchema,
])

export type EventRecord = z.infer<typeof eventRecordSchema>
