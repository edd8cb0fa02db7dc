import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { NETWORKS } from '../events/networks.ts'
import { addressSchema, countSchema, hashSchema } from '../events/record-fields.ts'
import type { AuditedBlocks } from './audit-blocks.ts'
import { type AuditedSince, auditedSinceSchema } from './changed-since.ts'
import { differenceSchema, idsOf } from './difference.ts'

const blockSchema = z.object({ number: countSchema, hash: hashSchema, timestamp: countSchema })

/** Reasons can contain block numbers, so without this limit, each unproven block could add its own reason to memory. */
const MOST_REASONS = 50
const OTHER_REASONS = 'other reasons'

/** The scope of an audit, which stays the same until the audit ends. */
const auditPlanSchema = z.object({
  network: z.enum(NETWORKS),
  /** The table's name or the service's URL. Shown in messages, and compared when an audit is resumed. */
  source: z.string(),
  contracts: z.union([z.literal('any'), z.array(addressSchema)]),
  erc721: z.boolean(),
  fromBlock: countSchema,
  toBlock: countSchema,
  /**
   * The newest block that was final when the audit began, both on the nodes and in the checkpoint (if the table has a
   * checkpoint). -1 if no block was final.
   */
  finalBlock: z.int(),
  /** How lists other than `all` are compared: by scanning the table at the end, or by looking up each event's items. */
  lists: z.enum(['scan', 'look-up']),
  /** The numbers of the sampled blocks in ascending order. */
  sample: z.optional(z.array(countSchema)),
})

export type AuditPlan = z.infer<typeof auditPlanSchema>

export const auditProgressSchema = z.object({
  plan: auditPlanSchema,
  /** Undefined if a service is audited, or if an earlier version started the audit. */
  since: z.optional(auditedSinceSchema),
  /** The number of blocks of the range or sample that have been audited so far. */
  done: countSchema,
  first: z.optional(blockSchema),
  last: z.optional(blockSchema),
  /** The last audited block that was final when the audit began. */
  lastFinal: z.optional(blockSchema),
  provenEmpty: countSchema,
  provenByReceipts: countSchema,
  /** The number of unproven blocks for each reason. */
  unproven: z.record(z.string(), countSchema),
  events: countSchema,
  differences: z.array(differenceSchema),
  /** Whether some differences are not recorded in the table, because the nodes disagreed when the audit found them. */
  hasUnrecorded: z.optional(z.boolean()),
  /** Whether the final checks are done: the lists are compared, and all nodes have confirmed a range's last block. */
  isChecked: z.boolean(),
  /** The reasons why the range as a whole is not proven, even if each single block is proven. */
  doubts: z.array(z.string()),
  isRepaired: z.boolean(),
})

export type AuditProgress = z.infer<typeof auditProgressSchema>
export type AuditedBlock = z.infer<typeof blockSchema>

export const beginAudit = (plan: AuditPlan, since?: AuditedSince): AuditProgress => ({
  plan,
  since: since && { ...since, id: randomUUID() },
  done: 0,
  provenEmpty: 0,
  provenByReceipts: 0,
  unproven: {},
  events: 0,
  differences: [],
  isChecked: false,
  doubts: [],
  isRepaired: false,
})

/** If the nodes disagreed about a sample, the same sample is audited again. */
export const resumeAudit = (stored: AuditProgress): AuditProgress =>
  stored.isChecked && stored.doubts.length > 0 ? beginAudit(stored.plan, stored.since) : stored

export const blocksOf = ({ fromBlock, toBlock, sample }: AuditPlan): number =>
  sample ? sample.length : toBlock - fromBlock + 1

export function advance(progress: AuditProgress, group: AuditedBlocks): AuditProgress {
  const { blocks, expected, differences } = group
  const { plan } = progress
  const headers = blocks.map(({ header: { number, hash, timestamp } }) => ({ number, hash, timestamp }))
  const unproven = { ...progress.unproven }
  for (const { proof } of blocks) {
    if (!('reason' in proof)) continue
    const isKnown = unproven[proof.reason] !== undefined || Object.keys(unproven).length < MOST_REASONS
    const reason = isKnown ? proof.reason : OTHER_REASONS
    unproven[reason] = (unproven[reason] ?? 0) + 1
  }
  const count = (proof: string) => blocks.filter(block => block.proof.proof === proof).length
  return {
    ...progress,
    done: progress.done + blocks.length,
    first: progress.first ?? headers[0],
    last: headers.at(-1) ?? progress.last,
    lastFinal: headers.findLast(({ number }) => number <= plan.finalBlock) ?? progress.lastFinal,
    provenEmpty: progress.provenEmpty + count('empty'),
    provenByReceipts: progress.provenByReceipts + count('receipts'),
    unproven,
    events: progress.events + expected.length,
    differences: [...progress.differences, ...differences],
  }
}

/** Blocks that the audit has not reached count as unproven. */
export function summaryOf(progress: AuditProgress) {
  const { plan, first, last, provenEmpty, provenByReceipts, events, differences } = progress
  const { network, fromBlock, toBlock } = plan
  const unproven = blocksOf(plan) - provenEmpty - provenByReceipts
  return {
    network,
    fromBlock,
    toBlock,
    firstHash: first?.hash,
    lastHash: last?.hash,
    blocks: { provenEmpty, provenByReceipts, unproven },
    events,
    ...idsOf(differences),
  }
}

/** Returns 1 if an unrepaired difference exists. Otherwise returns 0 if everything is proven, and 2 if not. */
export function exitCodeOf(progress: AuditProgress): 0 | 1 | 2 {
  if (progress.differences.length > 0 && !progress.isRepaired) return 1
  const isWhole = progress.isChecked && progress.doubts.length === 0
  return isWhole && summaryOf(progress).blocks.unproven === 0 ? 0 : 2
}
