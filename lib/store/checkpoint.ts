import * as z from 'zod/mini'
import { addressSchema, countSchema, hashSchema } from '../events/field-schemas.ts'
import { NETWORKS, type Network } from '../events/networks.ts'
import { indexedSinceSchema } from './indexed-since.ts'
import { CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from './keys.ts'

/** The contracts whose events are indexed. */
const contractsSchema = z.union([z.literal('any'), z.array(addressSchema).check(z.minLength(1))])

export type Contracts = z.infer<typeof contractsSchema>

/** What of a network is in the table: events of these contracts from this block on. */
const scopeSchema = z.object({
  fromBlock: countSchema,
  contracts: contractsSchema,
  /** With the transfers of ERC-721. */
  erc721: z.optional(z.boolean()),
})

export type Scope = z.infer<typeof scopeSchema>

/** The last block up to which every event is stored. */
const checkpointSchema = z.object({
  blockNumber: countSchema,
  blockHash: hashSchema,
  /** The block's time, in Unix seconds. */
  timestamp: countSchema,
  /** Blocks up to this one can no longer leave the chain; never falls. */
  finalizedBlock: z.optional(countSchema),
  /** The time of the finalized block, where it is known. */
  finalizedTimestamp: z.optional(countSchema),
  /** Of another form it says nothing, and is written anew. */
  indexedSince: z.catch(z.optional(indexedSinceSchema), undefined),
})

export type Checkpoint = z.infer<typeof checkpointSchema>

/** Who may go on indexing a network, and what of it is indexed. */
const leaseSchema = z.object({
  network: z.enum(NETWORKS),
  /** Rises with every change of the writer. */
  fence: countSchema,
  /** Rises with every sign of life. */
  renewals: countSchema,
  owner: z.string(),
  /** Whether `owner` is at work, as far as it has told. */
  leased: z.boolean(),
  /** How long `owner` may write after a sign of life. */
  leaseMs: countSchema,
  scope: scopeSchema,
  /** Whether the last writer has ended with nothing of its own stored above the checkpoint. */
  atRest: z.optional(z.boolean()),
})

export interface IndexState extends z.infer<typeof leaseSchema> {
  /** Undefined until the first block is indexed. */
  checkpoint: Checkpoint | undefined
}

/** Reads a network's item; undefined for one that no writer with a lease has made. Throws for a malformed one. */
export function parseIndexState(item: Record<string, unknown>): IndexState | undefined {
  if (item.fence === undefined) return undefined
  const checkpoint = item.blockNumber === undefined ? undefined : checkpointSchema.parse(item)
  return { ...leaseSchema.parse(item), checkpoint }
}

/** The key of a network's item. */
export const indexStateKey = (network: Network) => ({
  [LIST_KEY]: CHECKPOINTS_LIST,
  [PLACE_KEY]: network,
})
