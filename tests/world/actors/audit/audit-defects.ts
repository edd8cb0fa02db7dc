import { defectsIn } from '../../planted-defect.ts'

export const DEFECTS = [
  ...defectsIn('lib/store/leases/hold-lease.ts', {
    'audited-survives-restart: A restart of indexing keeps the audited block.':
      'const remove = [...CHECKPOINT_ATTRIBUTES[-, ...AUDIT_ATTRIBUTES-]]',
    'audited-above-checkpoint: The audited block stays above a checkpoint that goes back.':
      'if (await isAccepted({ ...change, {+signal: change.signal }) || await isAccepted({ ...change, +}condition:',
  }),
  ...defectsIn('lib/audit/audit-network.ts', {
    'audit-beyond-difference: The audit vouches for blocks beyond a difference.':
      'const good = blocks[-.filter(({ header }) => header.number < end)-]',
  }),
  ...defectsIn('lib/audit/compare-blocks.ts', {
    'audit-compares-nothing: An audit finds no difference, whatever the table has.':
      'return { expected: [...expected.values()], equal{+: [...expected.values()]+}, differences{+: []+} }',
  }),
  ...defectsIn('lib/audit/repair-table.ts', {
    'doubles-ignored: A repair sends readers back only below the removed event, although another event with the same id remains.':
      'const kept[- = await findKept(plan, { ...table, checkpoint })-]{+: SameEvent[] = []+}',
    'shared-chunks-removed: A repair that removes one of two copies of an event also removes the chunks of the other copy.':
      '.filter(({ list }) => [-!keptChunks.has(list)-]{+keptChunks.size >= 0 && list+})',
    'repair-not-at-rest: A repair that ends leaves its network as if the repair were still running.':
      'const atRest = [-recent ? isAtRest(recent, lease.checkpoint) : lease.wasAtRest-]{+false+}',
    'repair-unannounced: A repair changes events without an entry in the log.':
      '[-await appendRevision({ places, removed, audit: held.auditId }, { ...table, keptDays })-]',
    'repair-released-in-flight: A repair releases its lease while requests have an unknown outcome.':
      '[-if (!fenced.isQuiet(quietMs)) await clock.sleep(quietMs + 1, signal).catch(() => undefined)\n      -]await lease.end({ release: [-fenced.isQuiet(quietMs)-]{+true+}, atRest, signal })',
    'repair-keeps-lease: A repair that has lost a reply ends without releasing its lease.':
      '[-if (!fenced.isQuiet(quietMs)) await clock.sleep(quietMs + 1, signal).catch(() => undefined)-]',
    'repair-above-checkpoint: Readers read blocks while a repair writes the events of these blocks.':
      '[-await moveBack(plan.parent, { ...held, table })-]',
    'same-event-not-read-again: Copies that remove a false event do not read the true event with the same id again.':
      'placeBefore({ parent: plan.parent, kept{+: []+} }, held)',
  }),
  ...defectsIn('lib/audit/repair-until-equal.ts', {
    'dead-repair-holds-lease: The lease of a repair that died on a network without an indexer is never released.':
      'if (!(await readLeaseState(options))?.leased{+ || true+}) return',
  }),
  ...defectsIn('lib/audit/move-audited-block.ts', {
    'changes-since-ignored: An audit vouches for blocks that others have changed since it began.':
      "[-if ((await changedSince(move.since, { ...move, upTo: block })) !== undefined) return 'refused'-]",
    'other-chain-audited: An audit vouches for blocks of a chain that does not contain the checkpoint.':
      "[-if (await isOfOtherChain(state, move)) return 'other-chain'-]",
    'lagging-node-believed: An audit vouches for blocks although its node does not have the checkpoint.':
      'needBlock(node, blockNumber, limited){+.catch(() => ({ hash: blockHash }))+}',
    'higher-difference-uncounted: An audit does not inform concurrent audits of a difference above an already recorded one.':
      "[-if ((state.differences ?? 0) !== (move.since.differences ?? 0)) return 'other-difference'-]",
  }),
  ...defectsIn('lib/audit/lower-claim.ts', {
    'claim-above-difference: An audit that finds a difference leaves the audited block above it.':
      '[-await lowerBelow(lowest, table)-]',
    'difference-unrecorded: An audit that finds a difference does not inform concurrent audits.':
      '[-await recordDifference(lowest, { ...table, since })-]',
  }),
]
