import * as z from 'zod/mini'
import { NETWORKS, type Network } from '../../events/networks.ts'
import { addressSchema, countSchema, hashSchema } from '../../events/record-fields.ts'
import { indexedSinceSchema } from './indexed-since.ts'
import { CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from './keys.ts'

/** The contracts whose events are indexed. */
const contractsSchema = z.union([z.literal('any'), z.array(addressSchema).check(z.minLength(1))])

export type Contracts = z.infer<typeof contractsSchema>

/** The scope of a network's index: the first indexed block and the indexed contracts. */
const scopeSchema = z.object({
  fromBlock: countSchema,
  contracts: contractsSchema,
  /** Whether ERC-721 transfers are indexed too. */
  erc721: z.optional(z.boolean()),
  /**
   * The time, in Unix seconds, from which the first block was found. A later search near the head may find another
   * block.
   */
  fromTime: z.optional(countSchema),
})

export type Scope = z.infer<typeof scopeSchema>

/** Whether an address is one of the contracts. */
export const isOneOf = (contracts: Contracts, address: string): boolean =>
  contracts === 'any' || contracts.includes(address)

/** Whether two scopes have the same first block, contracts and kinds of log. They may have found the block differently. */
export const isSameScope = (one: Scope, other: Scope): boolean =>
  one.fromBlock === other.fromBlock &&
  isSameContracts(one.contracts, other.contracts) &&
  (one.erc721 ?? false) === (other.erc721 ?? false)

export const isSameContracts = (one: Contracts, other: Contracts): boolean =>
  one === 'any' || other === 'any' ? one === other : one.toSorted().join() === other.toSorted().join()

/** The checkpoint of a network: every event up to this block is stored. */
const checkpointSchema = z.object({
  blockNumber: countSchema,
  blockHash: hashSchema,
  /** The block's time, in Unix seconds. */
  timestamp: countSchema,
  /** The highest block that can no longer leave the chain. The number never falls. */
  finalizedBlock: z.optional(countSchema),
  /** The time of the finalized block, if known. */
  finalizedTimestamp: z.optional(countSchema),
  /** If the stored value is malformed, readers ignore it and the next checkpoint replaces it. */
  indexedSince: z.catch(z.optional(indexedSinceSchema), undefined),
})

export type Checkpoint = z.infer<typeof checkpointSchema>

/**
 * The last audited block. All blocks from the first indexed block to this block are proven equal to the chain's blocks.
 */
const auditedSchema = z.object({
  auditedBlock: countSchema,
  auditedHash: hashSchema,
  /** The block's time, in Unix seconds. */
  auditedTimestamp: countSchema,
})

export interface AuditedBlock {
  blockNumber: number
  blockHash: string
  /** The block's time, in Unix seconds. */
  timestamp: number
}

/** Returns the attributes that store the audited block in the network's item. */
export const auditedAttributes = ({ blockNumber, blockHash, timestamp }: AuditedBlock) =>
  ({
    auditedBlock: blockNumber,
    auditedHash: blockHash,
    auditedTimestamp: timestamp,
  }) satisfies z.infer<typeof auditedSchema>

export const AUDITED_ATTRIBUTES = Object.keys(auditedSchema.shape)
/** The attributes that no longer hold when a network is indexed again. */
export const AUDIT_ATTRIBUTES = [...AUDITED_ATTRIBUTES, 'differentBlock']

/** The writer that may index a network, and the scope of the network's index. */
const leaseSchema = z.object({
  network: z.enum(NETWORKS),
  /** The fencing token. Rises whenever a writer acquires the lease. */
  fence: countSchema,
  /** Rises with every renewal. */
  renewals: countSchema,
  owner: z.string(),
  /** False once `owner` has released the lease. */
  leased: z.boolean(),
  /** The duration of the lease in milliseconds, from its last renewal on. */
  leaseMs: countSchema,
  /**
   * For how many milliseconds writers that wait for the lease have seen this count of renewals unchanged. Each writer
   * adds only the time that it has watched, by its own clock.
   */
  watched: z.catch(z.optional(z.object({ renewals: countSchema, ms: countSchema })), undefined),
  /** Undefined until an indexer acquires the lease, because a repair leaves the scope to the indexers. */
  scope: z.optional(scopeSchema),
  /** Whether the last writer ended and left none of its events above the checkpoint. */
  atRest: z.optional(z.boolean()),
  /**
   * The lowest block in which an audit has found a difference. Undefined if there is none, or if a later audit has
   * proven this block equal.
   */
  differentBlock: z.optional(countSchema),
})

/** A network's item: its lease, and how far the network is indexed. */
export interface LeaseState extends z.infer<typeof leaseSchema> {
  /** Undefined until the first block is indexed. */
  checkpoint: Checkpoint | undefined
  /** Undefined until a block is audited. */
  auditedBlock: AuditedBlock | undefined
}

/** The item of a network that an indexer has written. */
export interface IndexState extends LeaseState {
  scope: Scope
}

/** Parses a network's item. Undefined if a writer without a lease stored the item. Throws for a malformed item. */
export function parseLeaseState(item: Record<string, unknown>): LeaseState | undefined {
  if (item.fence === undefined) return undefined
  const checkpoint = item.blockNumber === undefined ? undefined : checkpointSchema.parse(item)
  return { ...leaseSchema.parse(item), checkpoint, auditedBlock: auditedBlockIn(item) }
}

function auditedBlockIn(item: Record<string, unknown>): AuditedBlock | undefined {
  if (item.auditedBlock === undefined) return undefined
  const { auditedBlock, auditedHash, auditedTimestamp } = auditedSchema.parse(item)
  return { blockNumber: auditedBlock, blockHash: auditedHash, timestamp: auditedTimestamp }
}

/** The key of a network's item. */
export const indexStateKey = (network: Network) => ({
  [LIST_KEY]: CHECKPOINTS_LIST,
  [PLACE_KEY]: network,
})
