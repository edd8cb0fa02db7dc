import { counted } from '../../kit/printable.ts'
import type { Progress } from '../../kit/progress-display.ts'
import type { Report } from '../../kit/reporter.ts'
import { durationText } from '../../kit/time-left.ts'
import type { LeaseHolder } from '../../store/leases/acquire-lease.ts'
import { timeText } from './find-start.ts'
import type { IndexProgress, IndexStart } from './index-options.ts'

/** A period in which the table accepts no writes. */
export interface Outage {
  /** In `performance.now()` milliseconds. */
  since: number
  reason: string
}

export function waitingReport(
  network: string,
  { owner, leaseMs }: Pick<LeaseHolder, 'owner' | 'leaseMs'>,
): Report {
  const seconds = leaseMs / 1000
  const message = `${network}: the process ${owner} has not released its lease. Waiting up to ${durationText(seconds)} to see whether it is still running …`
  return { event: 'waiting', network, owner, seconds, message }
}

export function startText(network: string, start: IndexStart): string {
  const { fromBlock } = start
  switch (start.because) {
    case 'given':
      return `${network}: indexing from block ${fromBlock} on`
    case 'remembered':
      return `${network}: indexing from block ${fromBlock} on, as before (to start at another block, use --from-block and --restart)`
    case 'genesis':
      return `${network}: indexing from block ${fromBlock} on, the first block of the chain`
    case 'time':
      return `${network}: indexing from block ${fromBlock} on (the time of block ${start.found.number} is ${timeText(start.found.timestamp)})`
    case 'creation':
      return `${network}: indexing from block ${fromBlock} on (${start.contract} was created in block ${start.createdIn})`
  }
}

export function progressOf(
  progress: IndexProgress,
  { elapsedMs, outage }: { elapsedMs: number; outage: Outage | undefined },
): Progress {
  const { network, checkpoint, first, target, events } = progress
  const fields = progressFields(progress, elapsedMs)
  const { block, eventsPerSecond } = fields
  const total = target - first + 1
  // A run that has no blocks left to index is complete.
  const isReached = total <= 0 && checkpoint !== undefined && aboveHead(progress) === 0
  return {
    done: isReached ? 1 : Math.max(0, block - first + 1),
    total: isReached ? 1 : Math.max(0, total),
    message: `${network}: ${placeText(progress, { fields, outage })}; ${counted(events, 'event')}, ${eventsPerSecond}/s`,
    fields: { ...fields, ...(outage && { trouble: outage.reason }) },
  }
}

function placeText(
  progress: IndexProgress,
  { fields, outage }: { fields: ReturnType<typeof progressFields>; outage: Outage | undefined },
): string {
  const { head, target } = progress
  const { block, blocksBehindHead, lagSeconds } = fields
  if (outage) {
    const seconds = (performance.now() - outage.since) / 1000
    return `block ${block} of ${target}, but the table has not answered for ${durationText(seconds)} (${outage.reason})`
  }
  if (aboveHead(progress) > 0) return `indexed up to block ${block}, but the newest block is ${head}`
  const age = lagSeconds === undefined ? '' : `, ${lagSeconds} s old`
  return `block ${block} of ${target}, ${counted(blocksBehindHead, 'block')} behind the head${age}`
}

export const aboveHead = ({ checkpoint, head }: IndexProgress): number =>
  checkpoint && head >= 0 ? Math.max(0, checkpoint.blockNumber - head) : 0

export const describeAboveHead = ({ network, checkpoint, head }: IndexProgress): string =>
  `${network} is indexed up to block ${checkpoint?.blockNumber}, but the newest block of its node is ${head}. Either the node lags behind, or the chain was restarted. A new chain needs an empty table: use npm start -- --empty --fresh, or another --table`

export function progressFields(progress: IndexProgress, elapsedMs: number) {
  const { network, checkpoint, first, target, head, blocks, events, removed, rejected } = progress
  const block = checkpoint?.blockNumber ?? first - 1
  return {
    network,
    first,
    block,
    target,
    head,
    blocksBehindHead: Math.max(0, head - block),
    lagSeconds: checkpoint && Math.max(0, Math.round(Date.now() / 1000 - checkpoint.timestamp)),
    blocks,
    events,
    eventsPerSecond: Math.round((events * 1000) / Math.max(1, elapsedMs)),
    removed,
    rejected,
  }
}

export function summarise(progress: IndexProgress, elapsedMs: number): string {
  const { network, checkpoint, blocks, events, removed, rejected, head, first, confirmations } = progress
  if (!checkpoint) {
    const behind =
      confirmations === 'finalized'
        ? 'a final block is'
        : `${counted(confirmations, 'confirmation')} ${confirmations === 1 ? 'is' : 'are'}`
    return `${network} has no block to index yet: the newest block is ${head}, the first block to index is ${first}, and ${behind} required (--confirmations). To wait until this block can be indexed, use --follow`
  }
  const { eventsPerSecond } = progressFields(progress, elapsedMs)
  const work = [
    `${counted(events, 'event')} of ${counted(blocks, 'block')} in ${Math.round(elapsedMs / 1000)} s (${eventsPerSecond}/s)`,
    ...(removed > 0 ? [`${counted(removed, 'event')} removed after a reorganisation`] : []),
    ...(rejected > 0
      ? [
          `${counted(rejected, 'log')} left out, because ${rejected === 1 ? 'it matches' : 'they match'} no known event`,
        ]
      : []),
  ]
  const behind = head - checkpoint.blockNumber
  const behindText = behind < 0 ? '' : `, ${counted(behind, 'block')} behind the head`
  return `${network} is indexed up to block ${checkpoint.blockNumber} (${timeText(checkpoint.timestamp)})${behindText}\n${work.join('; ')}`
}
