import * as z from 'zod/mini'
import { type EventKind, type FieldForm, OWN_FIELDS, type OwnFields } from './event-kinds.ts'
import { NETWORKS } from './networks.ts'
import { addressSchema, countSchema, hashSchema, timeSchema, uint256Schema } from './record-fields.ts'

interface Lists {
  tokenIds?: readonly unknown[]
  quantities?: readonly unknown[]
}

/** EIP-1155 requires both lists to have the same length. */
export function unevenLists({ tokenIds = [], quantities = [] }: Lists): string | undefined {
  if (tokenIds.length === quantities.length) return undefined
  return `the number of tokenIds is ${tokenIds.length}, but the number of quantities is ${quantities.length}`
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

const FORMS = {
  user: addressSchema,
  address: addressSchema,
  text: z.string(),
  uint256: uint256Schema,
  ids: z.array(uint256Schema),
  quantities: z.array(uint256Schema),
} satisfies Record<FieldForm, z.ZodMiniType>

type OwnShape<Kind extends EventKind> = {
  -readonly [Name in keyof OwnFields<Kind>]: (typeof FORMS)[OwnFields<Kind>[Name] & FieldForm]
}

const ownShape = <Kind extends EventKind>(kind: Kind) =>
  Object.fromEntries(OWN_FIELDS[kind].map(([name, form]) => [name, FORMS[form]])) as OwnShape<Kind>

export const mintedSchema = z.strictObject({ event: z.literal('Minted'), ...common, ...ownShape('Minted') })

export const mintedBatchSchema = z
  .strictObject({ event: z.literal('MintedBatch'), ...common, ...ownShape('MintedBatch') })
  .check(evenLists)

export const transferSchema = z
  .strictObject({
    event: z.enum(['TransferSingle', 'TransferBatch']),
    ...common,
    ...ownShape('TransferSingle'),
  })
  .check(evenLists)

export const ownershipTransferredSchema = z.strictObject({
  event: z.literal('OwnershipTransferred'),
  ...common,
  ...ownShape('OwnershipTransferred'),
})

const SCHEMAS = {
  Minted: mintedSchema,
  MintedBatch: mintedBatchSchema,
  TransferSingle: transferSchema,
  TransferBatch: transferSchema,
  OwnershipTransferred: ownershipTransferredSchema,
} satisfies Record<EventKind, z.ZodMiniType>

type RecordSchema = (typeof SCHEMAS)[keyof typeof SCHEMAS]

/** The schema of an event, both stored and sent. Every type that describes an event is derived from this schema. */
export const eventRecordSchema = z.discriminatedUnion('event', [
  ...new Set<RecordSchema>(Object.values(SCHEMAS)),
] as [RecordSchema, ...RecordSchema[]])

export type EventRecord = z.infer<typeof eventRecordSchema>
