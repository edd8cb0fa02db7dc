import { type Options, SingleBar } from 'cli-progress'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import type { IndexOptions, IndexProgress } from '../../../lib/ingest/indexer/index-options.ts'

const BAR: Options = {
  format:
    '  {network} {bar} {percentage}% | block {block} of {target} | {events} events, {rate}/s | {eta_formatted} left',
  barCompleteChar: '█',
  barIncompleteChar: '░',
  hideCursor: true,
  clearOnComplete: true,
  etaBuffer: 50,
}

/** Whoever sees nothing for longer wonders. */
const SILENT_MS = 3000

/** Indexes a network with a progress bar where somebody is looking, and says at the end how far it came. */
export async function indexWithDisplay(options: IndexOptions): Promise<void> {
  const bar = new SingleBar(BAR)
  const startedAt = performance.now()
  const { network } = options
  bar.start(1, 0, { network, block: '…', target: '…', events: 0, rate: 0 })
  const waiting = setTimeout(tellWaiting, SILENT_MS).unref()
  let progress: IndexProgress
  try {
    progress = await indexNetwork({ ...options, onProgress: show })
  } finally {
    clearTimeout(waiting)
    bar.stop()
  }
  console.log(summarise(progress, performance.now() - startedAt))

  function tellWaiting() {
    // Where the bar is seen, it shows that nothing moves.
    if (process.stderr.isTTY) return
    console.error(`Waiting for a node of ${network}, or for an indexer that has not said it ended …`)
  }

  function show(now: IndexProgress) {
    clearTimeout(waiting)
    const block = now.checkpoint?.blockNumber ?? now.first - 1
    bar.setTotal(Math.max(1, now.target - now.first + 1))
    bar.update(Math.max(0, block - now.first + 1), {
      block,
      target: now.target,
      events: now.events,
      rate: rateOf(now, performance.now() - startedAt),
    })
  }
}

const rateOf = ({ events }: IndexProgress, elapsedMs: number) =>
  Math.round((events * 1000) / Math.max(1, elapsedMs))

function summarise(progress: IndexProgress, elapsedMs: number): string {
  const { network, checkpoint, blocks, events, removed, rejected, head } = progress
  const reached = checkpoint
    ? `${network} is indexed up to block ${checkpoint.blockNumber} of ${new Date(checkpoint.timestamp * 1000).toISOString()}, ${head - checkpoint.blockNumber} behind the head`
    : `${network} has no block to index yet`
  const work = [
    `${events} events of ${blocks} blocks in ${Math.round(elapsedMs / 1000)} s (${rateOf(progress, elapsedMs)}/s)`,
    ...(removed > 0 ? [`${removed} events removed that had left the chain`] : []),
    ...(rejected > 0 ? [`${rejected} logs left out that are of no known event`] : []),
  ]
  return `${reached}\n${work.join('; ')}`
}
