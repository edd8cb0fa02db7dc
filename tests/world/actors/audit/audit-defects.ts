import { defect, type PlantedDefect } from '../../planted-defect.ts'

export const AUDIT_DEFECTS: readonly PlantedDefect[] = [
  defect(
    'audited-survives-restart',
    'A restart of indexing keeps the audited block.',
    'lib/store/leases/hold-lease.ts',
    'const remove = [...CHECKPOINT_ATTRIBUTES, ...AUDIT_ATTRIBUTES]',
    'const remove = [...CHECKPOINT_ATTRIBUTES]',
  ),
  defect(
    'audited-above-checkpoint',
    'The audited block stays above a checkpoint that goes back.',
    'lib/store/leases/hold-lease.ts',
    'if (await isAccepted({ ...change, condition:',
    'if (await isAccepted({ ...change, signal: change.signal }) || await isAccepted({ ...change, condition:',
  ),
  defect(
    'audit-beyond-difference',
    'The audit vouches for blocks beyond a difference.',
    'lib/audit/audit-network.ts',
    'const good = blocks.filter(({ header }) => header.number < end)',
    'const good = blocks',
  ),
  defect(
    'doubles-ignored',
    'A repair sends readers back only below the removed event, although another event with the same id remains.',
    'lib/audit/repair-table.ts',
    'const kept = await findKept(plan, table)',
    'const kept: SameEvent[] = []',
  ),
  defect(
    'shared-chunks-removed',
    'A repair that removes one of two copies of an event also removes the chunks of the other copy.',
    'lib/audit/repair-table.ts',
    '.filter(({ list }) => !keptChunks.has(list))',
    '.filter(({ list }) => keptChunks.size >= 0 && list)',
  ),
  defect(
    'repair-not-at-rest',
    'A repair that ends leaves its network as if it were at work.',
    'lib/audit/repair-table.ts',
    'const atRest = recent ? isAtRest(recent, lease.checkpoint) : lease.wasAtRest',
    'const atRest = false',
  ),
  defect(
    'repair-unannounced',
    'A repair changes events without an entry in the log.',
    'lib/audit/repair-table.ts',
    'const revisions = await appendRevision({ places, removed }, { ...table, keptDays })',
    'const revisions: number[] = []',
  ),
  defect(
    'changes-since-ignored',
    'An audit vouches for blocks that others have changed since it began.',
    'lib/audit/move-audited-block.ts',
    'if ((await changedSince(move.since, { ...move, upTo: block })) !== undefined) return false',
    '',
  ),
  defect(
    'claim-above-difference',
    'An audit that finds a difference leaves the claim above it.',
    'lib/audit/lower-claim.ts',
    'await lowerBelow(lowest, table)',
    '',
  ),
  defect(
    'difference-unrecorded',
    'An audit that finds a difference does not inform concurrent audits.',
    'lib/audit/lower-claim.ts',
    'await recordDifference(lowest, table)',
    '',
  ),
]
