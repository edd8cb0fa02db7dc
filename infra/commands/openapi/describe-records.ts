import * as z from 'zod/mini'
import type { ZodOpenApiOverrideMetaContext } from 'zod-openapi/api'
import {
  eventRecordSchema,
  mintedBatchSchema,
  mintedSchema,
  ownershipTransferredSchema,
  transferSchema,
} from '../../../lib/events/record.ts'
import type { Examples } from './example-records.ts'

const FIELD_MEANINGS: Record<string, string> = {
  event: 'The kind of event; it says which variant the record is.',
  id: '`<network>:<transactionHash>:<logIndex>`: the same on every read, and of no other event.',
  network: 'The chain that the event happened on.',
  address: 'The token contract, which emitted the event.',
  blockNumber: 'The number of the block, counted by its network.',
  blockHash: 'The hash of the block.',
  transactionHash: 'The hash of the transaction. The same hash can exist on several networks.',
  logIndex: 'The place of the event among those of its block.',
  createdAt: 'The time of the block, in UTC. Chains count in seconds.',
  creator: 'Who minted the token.',
  initialOwner: 'Who owns it first.',
  bucketHash: 'Where the token’s content is kept, as the contract tells it.',
  tokenId: 'A uint256 as a decimal string: a JSON number would lose digits.',
  quantity: 'How many were minted; a uint256 as a decimal string.',
  token: 'The token that was minted; not always the contract that emitted the event.',
  owner: 'Who owns the tokens first.',
  tokenIds: 'The tokens: each a uint256 as a decimal string. An id can be there more than once.',
  quantities: 'How many of each token, in the order of `tokenIds`; each a uint256 as a decimal string.',
  operator: 'The account that made the transfer; often not `from`.',
  from: 'Who gave. The zero address where the tokens were minted.',
  to: 'Who received. The zero address where the tokens were burnt.',
  previousOwner: 'Who owned the contract.',
  newOwner: 'Who owns the contract from here on; may be the same.',
}

/** What goes wrong for who adds up all quantities. */
export const MINTS =
  'A contract that emits `Minted` or `MintedBatch` also emits `TransferSingle` or `TransferBatch` of ERC-1155 for the same tokens, from the zero address. Sums of quantities must count transfers only.'

/** Gives the record schemas their names, meanings and examples, for the document that is built next. */
export function describeRecords({ byKind }: Examples): void {
  const { Minted, MintedBatch, TransferSingle, TransferBatch, OwnershipTransferred } = byKind
  name(mintedSchema, 'Minted', { description: `A token was minted. ${MINTS}`, examples: [Minted] })
  name(mintedBatchSchema, 'MintedBatch', {
    description: `Several tokens were minted at once. ${MINTS}`,
    examples: [MintedBatch],
  })
  name(transferSchema, 'Transfer', {
    description:
      'Tokens changed hands, were minted (from the zero address) or were burnt (to the zero address): ERC-1155. Sums of quantities count these events and no others. `TransferSingle` has one element in `tokenIds` and `quantities`.',
    examples: [TransferSingle, TransferBatch],
  })
  name(ownershipTransferredSchema, 'OwnershipTransferred', {
    description: 'The token contract itself was given to another owner.',
    examples: [OwnershipTransferred],
  })
  const nameless = eventRecordSchema.def.options.find(schema => !z.globalRegistry.has(schema))
  if (nameless)
    throw new Error(`Nothing says what ${[...(nameless._zod.propValues.event ?? [])].join(' and ')} is`)
  z.globalRegistry.add(eventRecordSchema, {
    id: 'EventRecord',
    description: 'One event, in one of four variants; `event` tells which.',
  })
}

interface Meaning {
  description: string
  examples: unknown[]
}

function name(schema: z.core.$ZodType, id: string, meaning: Meaning): void {
  z.globalRegistry.add(schema, {
    id,
    ...meaning,
    override: ({ jsonSchema }: ZodOpenApiOverrideMetaContext) => {
      // Copies: fields of the same schema share one property until then.
      const properties = Object.entries(jsonSchema.properties ?? {}).map(([field, property]) => {
        const description = FIELD_MEANINGS[field]
        if (description === undefined) throw new Error(`Nothing says what ${id}.${field} means`)
        const format = field === 'createdAt' && { format: 'date-time' }
        return [field, { ...(property as object), description, ...format }]
      })
      jsonSchema.properties = Object.fromEntries(properties)
    },
  })
}
