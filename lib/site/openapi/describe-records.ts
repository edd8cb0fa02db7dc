import * as z from 'zod/mini'
import type { ZodOpenApiOverrideMetaContext } from 'zod-openapi/api'
import type { EventKind } from '../../events/event-kinds.ts'
import { eventRecordSchema } from '../../events/record.ts'
import type { Examples } from './example-records.ts'

const FIELD_MEANINGS: Record<string, string> = {
  event: 'The kind of event, which determines the variant of the record.',
  id: '`<network>:<transactionHash>:<logIndex>`: unique, and the same on every read.',
  network: 'The chain on which the event happened.',
  address: 'The token contract, which emitted the event.',
  blockNumber: 'The number of the block on its network.',
  blockHash: 'The hash of the block.',
  transactionHash: 'The hash of the transaction. The same hash can exist on several networks.',
  logIndex: 'The position of the event in its block.',
  createdAt: 'The time of the block in UTC, in whole seconds, as on the chain.',
  creator: 'The account that minted the token.',
  initialOwner: 'The first owner of the token.',
  bucketHash: 'Where the token’s content is stored, according to the contract.',
  tokenId: 'A uint256 as a decimal string, because a JSON number would lose digits.',
  quantity: 'The number of minted tokens: a uint256 as a decimal string.',
  token:
    'The token contract that the event names, which can differ from the contract that emitted the event.',
  owner: 'The first owner of the tokens.',
  tokenIds: 'The token ids, each a uint256 as a decimal string. An id can occur more than once.',
  quantities: 'The quantity of each token, in the order of `tokenIds`, each a uint256 as a decimal string.',
  operator: 'The account that made the transfer, which is often not `from`.',
  from: 'The sender, or the zero address if the tokens were minted.',
  to: 'The recipient, or the zero address if the tokens were burned.',
  previousOwner: 'The owner of the contract before the event.',
  newOwner: 'The owner of the contract after the event, possibly the same as `previousOwner`.',
}

export const MINTS =
  'Sums of quantities must count transfers only, because a contract that emits `Minted` or `MintedBatch` also emits a transfer of the same tokens (`TransferSingle` or `TransferBatch`) from the zero address.'

const TRANSFER =
  'ERC-1155 tokens changed hands, were minted (from the zero address) or were burned (to the zero address). Sums of quantities must count these events only, because they include the mints. `TransferSingle` has one element in `tokenIds` and `quantities`.'

const KIND_MEANINGS: Record<EventKind, string> = {
  Minted: `A token was minted. ${MINTS}`,
  MintedBatch: `Several tokens were minted together. ${MINTS}`,
  TransferSingle: TRANSFER,
  TransferBatch: TRANSFER,
  OwnershipTransferred: 'The ownership of the token contract was transferred.',
}

/** Adds the descriptions of records to their schemas, so it must be called before the document is built. */
export function describeRecords({ byKind }: Examples): void {
  for (const schema of eventRecordSchema.def.options) {
    const kinds = schema.def.shape.event.def.values
    const [kind] = kinds as [EventKind]
    // Only the two kinds of transfers share a schema.
    const id = kinds.length > 1 ? 'Transfer' : kind
    name(schema, id, { description: KIND_MEANINGS[kind], examples: kinds.map(each => byKind[each]) })
  }
  z.globalRegistry.add(eventRecordSchema, {
    id: 'EventRecord',
    description: 'One event, whose variant depends on the field `event`.',
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
      // Copies the properties, because fields with the same schema share one property object.
      const properties = Object.entries(jsonSchema.properties ?? {}).map(([field, property]) => {
        const description = FIELD_MEANINGS[field]
        if (description === undefined) throw new Error(`There is no description of ${id}.${field}`)
        const format = field === 'createdAt' && { format: 'date-time' }
        return [field, { ...(property as object), description, ...format }]
      })
      jsonSchema.properties = Object.fromEntries(properties)
    },
  })
}
