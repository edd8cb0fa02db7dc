import { counted } from '../../kit/printable.ts'
import { displayProgress } from '../../kit/progress-display.ts'
import type { Reporter } from '../../kit/reporter.ts'
import {
  aboveHead,
  describeAboveHead,
  type Outage,
  progressFields,
  progressOf,
  startText,
  summarise,
  waitingReport,
} from './describe-indexing.ts'
import { indexNetwork } from './index-network.ts'
import type { IndexOptions, IndexProgress } from './index-options.ts'

/** After waiting this long for a node, a run says so, because a longer silence would look like a failure. */
const SILENT_MS = 1500

/** Resolves with true if a block of the network is indexed, and no indexed block is above the chain's newest block. */
export async function indexWithDisplay(
  options: IndexOptions,
  { reporter, explain }: { reporter: Reporter; explain: (failure: unknown) => string },
): Promise<boolean> {
  const { network, nodes } = options
  const startedAt = performance.now()
  const elapsedMs = () => performance.now() - startedAt
  let progress: IndexProgress | undefined
  let outage: Outage | undefined
  const display = displayProgress(
    reporter,
    () => progress && progressOf(progress, { elapsedMs: elapsedMs(), outage }),
  )
  const names = nodes.members.map(({ name }) => name)
  const waiting = setTimeout(() => {
    const message = `Waiting for a node of ${network} (${names.join(', ')}) …`
    reporter.tell({ event: 'waiting', network, nodes: names, message })
  }, SILENT_MS).unref()

  function noteRenewal(failure?: unknown) {
    const wasReachable = outage === undefined
    if (failure === undefined) outage = undefined
    else outage = { since: outage?.since ?? performance.now(), reason: explain(failure) }
    if (outage && wasReachable) {
      const message = `${network}: ${outage.reason}. Nothing can be stored until the table answers, so the indexer keeps trying`
      reporter.tell({ event: 'trouble', level: 'error', network, message })
    } else if (!outage && !wasReachable) {
      reporter.tell({ event: 'recovered', network, message: `${network}: the table answers again` })
    }
  }

  try {
    progress = await indexNetwork({
      ...options,
      onWait: holder => {
        clearTimeout(waiting)
        reporter.tell(waitingReport(network, holder))
      },
      onNewScope: () => clearTimeout(waiting),
      onRenewal: noteRenewal,
      onStart: start =>
        reporter.tell({ event: 'started', network, ...start, message: startText(network, start) }),
      onReorganised: ({ depth, blockNumber, removed }) => {
        const message = `${network}: a reorganisation replaced ${counted(depth, 'block')} above block ${blockNumber}, so the indexer removed ${counted(removed, 'event')}`
        reporter.tell({ event: 'reorganised', network, depth, blockNumber, removed, message })
      },
      onStalled: blockNumber => {
        const message = `${network}: block ${blockNumber} cannot be indexed yet, because the nodes contradict their earlier answers, for example about which blocks are final. The indexer waits until they agree. If this does not end, compare this block on each node (${names.join(', ')}) with a block explorer, and leave out the nodes that differ`
        reporter.tell({ event: 'waiting', network, blockNumber, message })
      },
      onUnproven: ({ blockNumber, reason }) => {
        const message = `${network}: the logs of block ${blockNumber} are accepted without proof, and so are the logs of later blocks with the same problem: ${reason}`
        reporter.tell({ event: 'unproven', level: 'warn', network, blockNumber, reason, message })
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
    ...progressFields(progress, elapsedMs()),
    message: summarise(progress, elapsedMs()),
  })
  const isAbove = aboveHead(progress) > 0
  if (isAbove) {
    const { head } = progress
    reporter.tell({
      event: 'above-head',
      level: 'error',
      network,
      head,
      message: describeAboveHead(progress),
    })
  }
  return progress.checkpoint !== undefined && !isAbove
}
