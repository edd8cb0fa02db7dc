import type { IndexStart } from '../../../lib/ingest/indexer/find-start.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import type { IndexOptions, IndexProgress } from '../../../lib/ingest/indexer/index-options.ts'
import { displayProgress, type Progress } from '../shared/progress-display.ts'
import type { Reporter } from '../shared/reporter.ts'

/** Whoever sees nothing for longer wonders. */
const SILENT_MS = 1500

/**
 * Indexes a network, says where it begins, how far it is and when the chain was reorganised, and at the end how far
 * it came. Resolves with whether anything of the network is indexed now.
 */
export async function indexWithDisplay(options: IndexOptions, reporter: Reporter): Promise<boolean> {
  const { network, nodes } = options
  const startedAt = performance.now()
  let progress: IndexProgress | undefined
  const display = displayProgress(
    reporter,
    () => progress && progressOf(progress, performance.now() - startedAt),
  )
  const waiting = setTimeout(() => {
    const names = nodes.members.map(({ name }) => name).join(', ')
    const message = `Waiting for a node of ${network} (${names}), or for an indexer that has not said it ended …`
    reporter.tell({ event: 'waiting', network, nodes: nodes.members.map(({ name }) => name), message })
  }, SILENT_MS).unref()
  try {
    progress = await indexNetwork({
      ...options,
      onStart: start =>
        reporter.tell({ event: 'started', network, ...start, message: startText(network, start) }),
      onReorganised: ({ depth, blockNumber, removed }) => {
        const message = `${network}: the chain was reorganised, ${depth} blocks deep, above block ${blockNumber}; ${removed} events removed that had left it`
        reporter.tell({ event: 'reorganised', network, depth, blockNumber, removed, message })
      },
      onProgress: now => {
        clearTimeout(waiting)
        progress = now
      },
    })
  } finally {
    clearTimeout(waiting)
    display.stop()
  }
  reporter.conclude({
    event: 'indexed',
    ...progressFields(progress, performance.now() - startedAt),
    message: summarise(progress, performance.now() - startedAt),
  })
  return progress.checkpoint !== undefined
}

function startText(network: string, start: IndexStart): string {
  const { fromBlock } = start
  switch (start.because) {
    case 'given':
      return `${network}: from block ${fromBlock} on`
    case 'remembered':
      return `${network}: from block ${fromBlock} on, as before (to begin elsewhere: --from-block with --restart)`
    case 'genesis':
      return `${network}: from block ${fromBlock} on, the chain's first`
    case 'time':
      return `${network}: from block ${fromBlock} on (block ${start.found.number} is of ${timeText(start.found.timestamp)})`
    case 'creation':
      return `${network}: from block ${fromBlock} on (${start.contract} was created in block ${start.createdIn})`
  }
}

function progressOf(progress: IndexProgress, elapsedMs: number): Progress {
  const { network, first, target, events } = progress
  const fields = progressFields(progress, elapsedMs)
  const { block, blocksBehindHead, eventsPerSecond, lagSeconds } = fields
  const age = lagSeconds === undefined ? '' : `, ${lagSeconds} s old`
  return {
    done: Math.max(0, block - first + 1),
    total: Math.max(0, target - first + 1),
    message: `${network}: block ${block} of ${target}, ${blocksBehindHead} behind the head${age}; ${events} events, ${eventsPerSecond}/s`,
    fields,
  }
}

function progressFields(progress: IndexProgress, elapsedMs: number) {
  const { network, checkpoint, first, target, head, blocks, events, removed, rejected } = progress
  const block = checkpoint?.blockNumber ?? first - 1
  return {
    network,
    first,
    block,
    target,
    head,
    blocksBehindHead: Math.max(0, head - block),
    /** The age of the newest block that is indexed. */
    lagSeconds: checkpoint && Math.max(0, Math.round(Date.now() / 1000 - checkpoint.timestamp)),
    blocks,
    events,
    eventsPerSecond: Math.round((events * 1000) / Math.max(1, elapsedMs)),
    removed,
    rejected,
  }
}

function summarise(progress: IndexProgress, elapsedMs: number): string {
  const { network, checkpoint, blocks, events, removed, rejected, head, first, confirmations } = progress
  if (!checkpoint) {
    const behind =
      confirmations === 'finalized' ? 'only final blocks are' : `${confirmations} confirmations are`
    return `${network} has no block to index yet: the newest block is ${head}, ${behind} waited for (--confirmations), and the first block is ${first}. --follow waits for it`
  }
  const { eventsPerSecond } = progressFields(progress, elapsedMs)
  const work = [
    `${events} events of ${blocks} blocks in ${Math.round(elapsedMs / 1000)} s (${eventsPerSecond}/s)`,
    ...(removed > 0 ? [`${removed} events removed that had left the chain`] : []),
    ...(rejected > 0 ? [`${rejected} logs left out that are of no known event`] : []),
  ]
  return `${network} is indexed up to block ${checkpoint.blockNumber} of ${timeText(checkpoint.timestamp)}, ${head - checkpoint.blockNumber} behind the head\n${work.join('; ')}`
}

const timeText = (seconds: number) => new Date(seconds * 1000).toISOString()
