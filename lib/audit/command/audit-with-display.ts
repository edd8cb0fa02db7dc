import { NodesUnavailableError } from '../../chain/nodes/rpc-errors.ts'
import { isOutage } from '../../client/client-errors.ts'
import { waitingReport } from '../../ingest/indexer/describe-indexing.ts'
import { counted } from '../../kit/printable.ts'
import { displayProgress } from '../../kit/progress-display.ts'
import type { Reporter } from '../../kit/reporter.ts'
import type { StateFile } from '../../kit/state-file.ts'
import { type AuditProgress, exitCodeOf, summaryOf } from '../audit-progress.ts'
import { NodesDisagreeError } from '../nodes-agree.ts'
import { type AuditRepair, endDeadRepair, repairUntilEqual } from '../repair-until-equal.ts'
import { runAudit } from '../run-audit.ts'
import {
  differenceReport,
  loweredReport,
  progressOf,
  startText,
  summaryText,
  unprovenReport,
  unrepairedText,
} from './describe-audit.ts'
import type { OpenedAudit, RepairOfAudit } from './open-audit.ts'

/** The minimum time between two writes of the state, which can reach tens of MB if there are many differences. */
const STORE_EVERY_MS = 1000
/**
 * Up to this many differences, the command stores each difference in the state at once, so that the state agrees with
 * the table, which already records the difference.
 */
const FEW_DIFFERENCES = 1000

const CONTINUE = 'when the cause is gone, the same command continues the audit'
const BEGIN_AGAIN = 'without --state, the audit must begin again'

export interface DisplayedAudit extends Pick<OpenedAudit, 'begun' | 'run' | 'repair'> {
  state: Pick<StateFile<AuditProgress>, 'write'> | undefined
  reporter: Reporter
  explain: (failure: unknown) => string
}

/** If an error ends the audit, returns the progress with the error in `doubts`. Rejects if `run.signal` is aborted. */
export async function auditWithDisplay(audit: DisplayedAudit): Promise<AuditProgress> {
  const { begun } = audit
  let progress = begun
  try {
    await auditAll(audit, next => {
      progress = next
    })
    const { repair } = audit
    if (repair && progress.differences.length > 0 && !progress.isRepaired)
      progress = await repairAll(progress, { ...audit, repair })
    else if (repair) await endDeadRepair(optionsOf({ ...audit, repair }))
  } catch (error) {
    return withFailure(error, progress, audit)
  }
  return progress
}

/**
 * Reports an error, and adds it to `doubts`, so that the summary still contains what the audit has found. Throws the
 * error if `run.signal` is aborted.
 */
export function withFailure(
  error: unknown,
  progress: AuditProgress,
  { run, state, reporter, explain }: Omit<DisplayedAudit, 'begun' | 'repair'>,
): AuditProgress {
  if (run.signal.aborted) throw error
  const isPassing = isOutage(error) || error instanceof NodesUnavailableError
  const doubt = `${explain(error)}${isPassing ? `; ${state ? CONTINUE : BEGIN_AGAIN}` : ''}`
  reporter.tell({ event: 'failed', level: 'error', message: doubt })
  return { ...progress, doubts: [...progress.doubts, doubt] }
}

export function concludeAudit(progress: AuditProgress, reporter: Reporter): 0 | 1 | 2 {
  reporter.conclude({
    event: 'audited',
    ...summaryOf(progress),
    ...(Object.keys(progress.unproven).length > 0 && { reasons: progress.unproven }),
    ...(progress.doubts.length > 0 && { doubts: progress.doubts }),
    ...(progress.isRepaired && { repaired: true }),
    message: summaryText(progress),
  })
  return exitCodeOf(progress)
}

async function auditAll(
  { begun, run, state, reporter }: DisplayedAudit,
  note: (progress: AuditProgress) => void,
): Promise<void> {
  const startedAt = performance.now()
  let [progress, items, storedAt] = [begun, 0, startedAt]
  let stored = begun
  const store = () => {
    if (stored !== progress) state?.write(progress)
    stored = progress
    storedAt = performance.now()
  }
  reporter.tell({
    event: 'started',
    ...begun.plan,
    sample: begun.plan.sample?.length,
    message: startText(begun),
  })
  const display = displayProgress(reporter, () =>
    progressOf(progress, { doneBefore: begun.done, elapsedMs: performance.now() - startedAt, items }),
  )
  try {
    await runAudit(begun, {
      ...run,
      onUnproven: blocks => {
        for (const unproven of blocks) reporter.tell(unprovenReport(unproven))
      },
      onScanned: count => {
        items = count
      },
      onProgress: (next, found) => {
        progress = next
        note(next)
        const isDue = performance.now() - storedAt >= STORE_EVERY_MS
        if (isDue || (found.length > 0 && next.differences.length <= FEW_DIFFERENCES)) store()
        for (const difference of found) reporter.tell(differenceReport(difference))
      },
    })
  } finally {
    display.stop()
    store()
  }
}

type Repairing = DisplayedAudit & { repair: RepairOfAudit }

async function repairAll(
  progress: AuditProgress,
  { run, repair, state, reporter }: Repairing,
): Promise<AuditProgress> {
  const { network, source } = progress.plan
  const [doubt] = progress.doubts
  if (doubt !== undefined) throw new NodesDisagreeError({ network, doubt })
  reporter.tell({ event: 'repairing', network, message: `${network}: repairing ${source} …` })
  const repaired = await repairUntilEqual(progress, {
    ...optionsOf({ run, repair, reporter }),
    onOutage: ({ message }) =>
      reporter.tell({
        event: 'waiting',
        level: 'warn',
        network,
        message: `${network}: the repair waits up to ten minutes for the nodes to answer. ${message}`,
      }),
  })
  const { stored, removed, left } = repaired
  for (const difference of left) reporter.tell(differenceReport(difference))
  const done = `${counted(stored, 'event')} stored, ${removed} removed`
  const rest = left.length === 0 ? '' : `; ${unrepairedText(left.length)}`
  reporter.tell({
    event: 'repaired',
    network,
    stored,
    removed,
    left: left.length,
    message: `${network}: ${done}${rest}`,
  })
  state?.write(repaired.progress)
  return repaired.progress
}

function optionsOf({ run, repair, reporter }: Pick<Repairing, 'run' | 'repair' | 'reporter'>): AuditRepair {
  const { table, network } = run
  if (!table) throw new TypeError('Only a table can be repaired, not a service')
  return {
    ...run,
    ...repair,
    table,
    stop: run.signal,
    onProgress: () => undefined,
    onWait: holder => reporter.tell(waitingReport(network, holder)),
    onLowered: checkpoint => reporter.tell(loweredReport(network, checkpoint)),
  }
}
