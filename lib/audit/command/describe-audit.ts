import type { Network } from '../../events/networks.ts'
import { counted } from '../../kit/printable.ts'
import type { Progress } from '../../kit/progress-display.ts'
import type { Report } from '../../kit/reporter.ts'
import type { Checkpoint } from '../../store/format/checkpoint.ts'
import { type AuditProgress, blocksOf, summaryOf } from '../audit-progress.ts'
import type { Difference } from '../difference.ts'
import type { UnprovenBlocks } from '../run-audit.ts'

/** The maximum number of reasons for unproven blocks in the text summary. The JSON summary lists all of them. */
const MOST_TOLD = 20

export function startText({ plan, done }: AuditProgress): string {
  const { network, source, contracts, erc721, fromBlock, toBlock, sample } = plan
  const whose = contracts === 'any' ? 'any contract' : contracts.join(', ')
  const which = sample ? `${sample.length} of the blocks` : 'blocks'
  const gone = done > 0 ? `; ${counted(done, 'block')} already audited` : ''
  return `${network}: auditing ${which} ${fromBlock} to ${toBlock} of ${source}, for the events of ${whose}${erc721 ? ', including ERC-721 transfers' : ''}${gone}`
}

/** The speed is the average since the audit was started or resumed. */
export function progressOf(
  progress: AuditProgress,
  { doneBefore, elapsedMs, items }: { doneBefore: number; elapsedMs: number; items: number },
): Progress {
  const { plan, done, last, events, differences } = progress
  const total = blocksOf(plan)
  const blocksPerSecond = Math.round(((done - doneBefore) * 1000) / Math.max(1, elapsedMs))
  const place =
    done < total || items === 0 ? `block ${last?.number ?? plan.fromBlock}` : counted(items, 'item')
  return {
    done,
    total,
    message: `${plan.network}: ${place}, ${done} of ${counted(total, 'block')}, ${blocksPerSecond}/s; ${counted(events, 'event')}, ${counted(differences.length, 'difference')}`,
    fields: {
      network: plan.network,
      block: last?.number,
      blocks: done,
      blocksPerSecond,
      events,
      differences: differences.length,
      ...(items > 0 && { items }),
    },
  }
}

const MEANINGS = {
  missing: 'is missing',
  extra: 'is not on the chain',
  different: 'differs from the chain',
}
const MEANINGS_IN_LIST = { ...MEANINGS, extra: 'does not belong' }

export const differenceReport = ({ kind, id, blockNumber, list }: Difference): Report => ({
  event: kind,
  level: 'error',
  id,
  blockNumber,
  ...(list !== undefined && { list }),
  message: `${id} of block ${blockNumber} ${list === undefined ? MEANINGS[kind] : `${MEANINGS_IN_LIST[kind]} in the list ${list}`}`,
})

export const unprovenReport = ({ first, last, reason }: UnprovenBlocks): Report => ({
  event: 'unproven',
  level: 'error',
  firstBlock: first,
  lastBlock: last,
  reason,
  message: `${first === last ? `Block ${first} is` : `Blocks ${first} to ${last} are`} not proven: ${reason}`,
})

/** An undefined checkpoint means that the repair has deleted it. */
export function loweredReport(network: Network, checkpoint: Checkpoint | undefined): Report {
  const { blockNumber } = checkpoint ?? {}
  const [done, until] =
    blockNumber === undefined
      ? ['deleted the checkpoint', 'the service reports no block as indexed']
      : [
          `left the checkpoint at block ${blockNumber}`,
          'the service reports no higher block as indexed, and readers of the feed get no event above this block',
        ]
  const message = `${network}: run the indexer (npm run index), because the repair has ${done}. Until then, ${until}`
  return { event: 'lowered', level: 'warn', network, blockNumber, message }
}

export const unrepairedText = (left: number): string =>
  `${counted(left, 'difference')} could not be repaired. A repair changes only blocks that are proven, and that are either final or remembered by the indexer. If this is not the reason, run the command again`

export function summaryText(progress: AuditProgress): string {
  const { blocks, events, missing, extra, different, network, fromBlock, toBlock } = summaryOf(progress)
  const reasons = Object.entries(progress.unproven)
  const unread = blocks.unproven - reasons.reduce((sum, [, count]) => sum + count, 0)
  const found = [
    ...(missing.length > 0 ? [`${missing.length} missing`] : []),
    ...(extra.length > 0 ? [`${extra.length} not on the chain`] : []),
    ...(different.length > 0 ? [`${different.length} different`] : []),
  ]
  const verdict = found.length === 0 ? 'no difference' : found.join(', ')
  return [
    `${network}, blocks ${fromBlock} to ${toBlock}: ${counted(events, 'event')}, ${verdict}${progress.isRepaired ? '; all repaired' : ''}`,
    `${counted(blocks.provenEmpty, 'block')} proven empty by the Bloom filter, ${blocks.provenByReceipts} proven by receipts, ${blocks.unproven} unproven`,
    ...reasons.slice(0, MOST_TOLD).map(([reason, count]) => `  ${counted(count, 'block')}: ${reason}`),
    ...(unread > 0 ? [`  ${counted(unread, 'block')}: not audited`] : []),
    ...progress.doubts,
  ].join('\n')
}
