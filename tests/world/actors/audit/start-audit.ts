import { auditNetwork } from '../../../../lib/audit/audit-network.ts'
import { type AuditProgress, exitCodeOf } from '../../../../lib/audit/audit-progress.ts'
import type { Difference } from '../../../../lib/audit/difference.ts'
import { readAuditedSince } from '../../../../lib/audit/move-audited-block.ts'
import { prepareAudit } from '../../../../lib/audit/prepare-audit.ts'
import { recordAudit } from '../../../../lib/audit/record-audit.ts'
import { endDeadRepair, repairUntilEqual } from '../../../../lib/audit/repair-until-equal.ts'
import { runAudit } from '../../../../lib/audit/run-audit.ts'
import { checkNodes } from '../../../../lib/chain/nodes/check-chain.ts'
import { groupNodes } from '../../../../lib/chain/nodes/node-group.ts'
import { requireForm } from '../../../../lib/store/format/table-form.ts'
import { readForm } from '../../../../lib/store/writing/record-form.ts'
import type { SimNode } from '../../outside/sim-node.ts'
import { isRunning, startJob, WRITER_ENDS } from '../../start-job.ts'
import { breach, count, type Job, type SimNetwork, type World } from '../../world.ts'
import { type AuditFile, auditsOf } from './audit-laws.ts'

const AUDIT_ENDS = [
  'AuditStoppedError',
  'ChainChangedError',
  'NodesDisagreeError',
  'NothingToAuditError',
  // Reads of chunks can fail with this error.
  'StoreUnavailableError',
  // The reads before an audit can fail with these errors, because the SDK makes only three attempts.
  'InternalServerError',
  'ProvisionedThroughputExceededException',
  'ServiceUnavailable',
  ...WRITER_ENDS,
]

interface AuditRun extends AuditedChain {
  repair: boolean
  file?: AuditFile | undefined
  lists: 'scan' | 'look-up'
}

interface AuditedChain {
  /** A node on a branch that the network has left. The audit asks this node instead of the network's nodes. */
  stranger?: SimNode | undefined
}

export function startAudit(world: World, network: SimNetwork, run: AuditRun): Job {
  const { repair, file, lists, stranger } = run
  const { table, life } = world
  const sims = stranger ? [stranger] : network.sims
  return startJob(world, {
    kind: repair ? 'repair' : 'audit',
    name: `audit ${network.network}`,
    mayEndWith: AUDIT_ENDS,
    needsLease: repair,
    work: async job => {
      const where = table.where('indexing')
      const signal = job.stop.signal
      const of = { network: network.network }
      requireForm(await readForm(where, signal), where)
      const { since, state } = await readAuditedSince({ ...where, ...of, signal })
      const nodes = groupNodes(sims.map(node => node.connect()))
      await checkNodes(nodes.members, of, signal)
      const contracts = state?.scope.contracts ?? network.contracts
      const scope = {
        contracts: contracts === 'any' ? undefined : contracts,
        fromBlock: network.fromBlock,
      }
      const stored = file?.progress
      const { begun, run: prepared } = await prepareAudit(
        { ...of, source: table.tableName, lists, ...(!state?.checkpoint && scope) },
        { nodes, stored, table: where, indexState: state, since, signal },
      )
      const running = {
        ...prepared,
        table: where,
        onProgress: (progress: AuditProgress) => {
          // The round trip removes `undefined`, which a state file cannot contain.
          if (file) file.progress = JSON.parse(JSON.stringify(progress))
        },
      }
      let progress = await runAudit(begun, running)
      // Differences are recorded only if the nodes agree.
      if (progress.differences.length > 0 && !stranger && progress.doubts.length === 0) {
        const blocks = progress.differences.map(({ fromBlock }) => fromBlock)
        tellSecrets(world, network, blocks)
        checkClaim(world, network, { job, differences: progress.differences })
      }
      if (repair && progress.doubts.length === 0) {
        const { plan } = begun
        const repairing = {
          ...running,
          createClient: async () => table.client('indexing'),
          scope: { fromBlock: plan.fromBlock, contracts: plan.contracts },
          changesKeptDays: life.keptDays,
        }
        auditsOf(network).hasUnfinishedRepair = true
        job.through = plan.toBlock
        if (progress.differences.length === 0 || progress.isRepaired) await endDeadRepair(repairing)
        else {
          const repaired = await repairUntilEqual(progress, repairing)
          count(world, 'events stored by repairs', repaired.stored)
          count(world, 'events removed by repairs', repaired.removed)
          progress = repaired.progress
        }
        // If a lagging node ends the audit early, later blocks may still have damage.
        auditsOf(network).hasUnfinishedRepair = plan.toBlock < network.chain.finalized().number
        running.onProgress(progress)
      }
      if (state && (!stored || exitCodeOf(stored) !== 0))
        await recordAudit(progress, { table: where, state, nodes, signal })
      if (file && exitCodeOf(progress) === 0) file.progress = undefined
      if (!repair) return
      for (const [each, { leased }] of table.checkpoints())
        if (leased && world.holders.get(each) === job.actor.name)
          breach(world, 'A repair that succeeds has released its lease.', `It still holds that of ${each}`)
    },
  })
}

/** After an audit has found secret damage, no other audit may move the audited block past the damaged block. */
function tellSecrets(world: World, network: SimNetwork, blocks: readonly number[]): void {
  count(world, 'audits that found a difference')
  const { secrets } = auditsOf(network)
  for (const [id, block] of secrets) if (blocks.includes(block)) secrets.delete(id)
}

/**
 * No audited block may be above a difference, unless another audit may have repaired the difference or proven that it
 * is gone.
 */
function checkClaim(
  world: World,
  { network }: SimNetwork,
  { job, differences }: { job: Job; differences: readonly Difference[] },
): void {
  const { jobs, table } = world
  const isAlone = jobs.every(each => each === job || !isRunning(each) || !each.name.includes(network))
  const { auditedBlock = -1, scope } = table.checkpoints().get(network) ?? {}
  const isIndexed = ({ address, fromBlock }: Difference) =>
    scope !== undefined &&
    fromBlock >= scope.fromBlock &&
    (address === undefined || scope.contracts === 'any' || scope.contracts.includes(address))
  const lowest = Math.min(...differences.filter(isIndexed).map(({ fromBlock }) => fromBlock))
  if (isAlone && auditedBlock >= lowest)
    breach(
      world,
      'After an audit has found a difference, the audited block is below it.',
      `${network} is audited through ${auditedBlock}, and block ${lowest} differs`,
    )
}

export function startAuditFunction(world: World, network: SimNetwork, { stranger }: AuditedChain = {}): Job {
  const { table } = world
  const sims = stranger ? [stranger] : network.sims
  return startJob(world, {
    kind: 'audit function',
    name: `audit function ${network.network}`,
    mayEndWith: AUDIT_ENDS,
    work: async job => {
      const nodes = groupNodes(sims.map(node => node.connect()))
      await checkNodes(nodes.members, { network: network.network }, job.stop.signal)
      const audit = await auditNetwork({
        ...table.where('indexing'),
        network: network.network,
        nodes,
        stop: job.stop.signal,
        abort: new AbortController().signal,
      })
      if (!audit?.difference || stranger) return
      tellSecrets(world, network, [audit.difference.blockNumber])
    },
  })
}
