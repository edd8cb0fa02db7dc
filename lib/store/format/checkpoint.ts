import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { NETWORKS, type Network } from '../../events/networks.ts'
import { addressSchema, countSchema, hashSchema } from '../../events/record-fields.ts'
import { indexedSinceSchema } from './indexed-since.ts'
import { CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from './keys.ts'

const contractsSchema = z.union([z.literal('any'), z.array(addressSchema).check(z.minLength(1))])

export type Contracts = z.infer<typeof contractsSchema>

const scopeSchema = z.strictObject(
  {
    fromBlock: countSchema,
    contracts: contractsSchema,
    erc721: z.optional(z.boolean()),
    /**
     * The time (Unix seconds) that determined the first block. If the time is near the head, the block also depends on
     * the last final block, so the same time may later determine another block.
     */
    fromTime: z.optional(countSchema),
  },
  // An indexer that ignored an unknown key could move the checkpoint past events that it does not store.
  'was stored by another version, which may index events that this version does not know: use that version',
)

export type Scope = z.infer<typeof scopeSchema>

export const isOneOf = (contracts: Contracts, address: string): boolean =>
  contracts === 'any' || contracts.includes(address)

/** `fromTime` is not compared, because only `fromBlock` determines what is indexed. */
export const isSameScope = (one: Scope, other: Scope): boolean =>
  one.fromBlock === other.fromBlock &&
  isSameContracts(one.contracts, other.contracts) &&
  (one.erc721 ?? false) === (other.erc721 ?? false)

/** The order and repetition of addresses do not matter. */
export const isSameContracts = (one: Contracts, other: Contracts): boolean =>
  one === 'any' || other === 'any' ? one === other : isDeepStrictEqual(new Set(one), new Set(other))

/** Every event up to this block is stored. */
const checkpointSchema = z.object({
  blockNumber: countSchema,
  blockHash: hashSchema,
  /** The block's time, in Unix seconds. */
  timestamp: countSchema,
  /**
   * The highest block that can no longer leave the chain. Decreases only with `--back-to`, or if the checkpoint is
   * deleted, for example by `--restart`.
   */
  finalizedBlock: z.optional(countSchema),
  finalizedTimestamp: z.optional(countSchema),
  /** A malformed value is ignored, and the next checkpoint replaces it. */
  indexedSince: z.catch(z.optional(indexedSinceSchema), undefined),
})

export type Checkpoint = z.infer<typeof checkpointSchema>

/** The last block that is both indexed and final, or -1. The audited block is never higher. */
export const lastFinalOf = (checkpoint: Checkpoint | undefined): number =>
  Math.min(checkpoint?.blockNumber ?? -1, checkpoint?.finalizedBlock ?? -1)

export const CHECKPOINT_ATTRIBUTES = Object.keys(checkpointSchema.shape) as (keyof Checkpoint)[]

/** The highest audited block. All indexed blocks up to this block are proven equal to the chain's blocks. */
const auditedSchema = z.object({
  auditedBlock: countSchema,
  auditedHash: hashSchema,
  /** The block's time, in Unix seconds. */
  auditedTimestamp: countSchema,
})

export type AuditedBlock = Pick<Checkpoint, 'blockNumber' | 'blockHash' | 'timestamp'>

export const auditedAttributes = ({ blockNumber, blockHash, timestamp }: AuditedBlock) =>
  ({
    auditedBlock: blockNumber,
    auditedHash: blockHash,
    auditedTimestamp: timestamp,
  }) satisfies z.infer<typeof auditedSchema>

export const AUDITED_ATTRIBUTES = Object.keys(auditedSchema.shape)
/** The attributes that become invalid when a network is indexed again from the start. */
export const AUDIT_ATTRIBUTES = [...AUDITED_ATTRIBUTES, 'differentBlock', 'differences']

const leaseSchema = z.object({
  network: z.enum(NETWORKS),
  /** The fencing token, which increases whenever a writer acquires the lease. */
  fence: countSchema,
  renewals: countSchema,
  owner: z.string(),
  /** False after `owner` has released the lease. */
  leased: z.boolean(),
  /** The duration of the lease in milliseconds, measured from its last renewal. */
  leaseMs: countSchema,
  /** A value of `renewals` and how long waiting writers have seen it unchanged, in milliseconds of their own clocks. */
  watched: z.catch(z.optional(z.object({ renewals: countSchema, ms: countSchema })), undefined),
  /** Undefined until an indexer acquires the lease, because a repair stores no scope. */
  scope: z.optional(scopeSchema),
  /** Whether the last writer ended and left none of its events above the checkpoint. */
  atRest: z.optional(z.boolean()),
  /** The lowest block in which an audit has found a difference that no later audit has proven to be gone. */
  differentBlock: z.optional(countSchema),
  /** How often audits have recorded a difference. The number never decreases, but a restart of indexing deletes it. */
  differences: z.optional(countSchema),
})

/** A network's item: its lease, and how far the network is indexed. */
export interface LeaseState extends z.infer<typeof leaseSchema> {
  /** Undefined until the first block is indexed. */
  checkpoint: Checkpoint | undefined
  /** Undefined until a block is audited. */
  auditedBlock: AuditedBlock | undefined
}

export interface IndexState extends LeaseState {
  scope: Scope
}

/** Undefined if the item has no lease. Throws if the item is malformed, or was stored by another version. */
export function parseLeaseState(item: Record<string, unknown>): LeaseState | undefined {
  if (item.fence === undefined) return undefined
  const checkpoint = item.blockNumber === undefined ? undefined : checkpointSchema.parse(item)
  const { data: lease, error } = leaseSchema.safeParse(item)
  if (!lease) throw new Error(problemOf(item, error), { cause: error })
  return { ...lease, checkpoint, auditedBlock: auditedBlockIn(item) }
}

const problemOf = ({ network }: Record<string, unknown>, { issues }: z.core.$ZodError) =>
  `In the table, the indexing state of ${network} is unusable: ${issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`

function auditedBlockIn(item: Record<string, unknown>): AuditedBlock | undefined {
  if (item.auditedBlock === undefined) return undefined
  const { auditedBlock, auditedHash, auditedTimestamp } = auditedSchema.parse(item)
  return { blockNumber: auditedBlock, blockHash: auditedHash, timestamp: auditedTimestamp }
}

export const indexStateKey = (network: Network) => ({ [LIST_KEY]: CHECKPOINTS_LIST, [PLACE_KEY]: network })
