import * as z from 'zod/mini'
import { NETWORKS } from './networks.ts'

const lowerCaseHex = (digits: number) => z.string().check(z.regex(new RegExp(`^0x[0-9a-f]{${digits}}$`)))
const address = lowerCaseHex(40)
const hash = lowerCaseHex(64)
/** A decimal string: a JSON number would lose the digits beyond 2^53. */
const uint256 = z.string().check(z.regex(/^(0|[1-9][0-9]{0,77})$/))
const count = z.number().check(z.int(), z.minimum(0))

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
  address,
  blockNumber: count,
  blockHash: hash,
  transactionHash: hash,
  logIndex: count,
  createdAt: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)),
}

export const mintedSchema = z.strictObject({
  event: z.literal('Minted'),
  ...common,
  creator: address,
  initialOwner: address,
  bucketHash: z.string(),
  tokenId: uint256,
  quantity: uint256,
})

export const mintedBatchSchema = z
  .strictObject({
    event: z.literal('MintedBatch'),
    ...common,
    token: address,
    owner: address,
    tokenIds: z.array(uint256),
    quantities: z.array(uint256),
  })
  .check(evenLists)

export const transferSchema = z
  .strictObject({
    event: z.enum(['TransferSingle', 'TransferBatch']),
    ...common,
    operator: address,
    from: address,
    to: address,
    tokenIds: z.array(uint256),
    quantities: z.array(uint256),
  })
  .check(evenLists)

export const ownershipTransferredSchema = z.strictObject({
  event: z.literal('OwnershipTransferred'),
  ...common,
  previousOwner: address,
  newOwner: address,
})

/** One event as it is stored and as it is sent: the source of every type that describes an event. */
export const eventRecordSchema = z.discriminatedUnion('event', [
  mintedSchema,
  mintedBatchSchema,
  transferSchema,
  ownershipTransferredSchema,
])

export type EventRecord = z.infer<typeof eventRecordSchema>

/** What a record takes in a function's response, which Lambda limits: its JSON, escaped as a text within JSON. */
export const recordBytes = (record: EventRecord): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(record)))

/** An event's identity: stable, and unique over all networks. */
export const recordId = (event: Pick<EventRecord, 'network' | 'transactionHash' | 'logIndex'>) =>
  `${event.network}:${event.transactionHash}:${event.logIndex}`
