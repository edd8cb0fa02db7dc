import { randomUUID } from 'node:crypto'
import type { Change } from '../../client/changes.ts'
import { NETWORKS, type Network } from '../../events/networks.ts'
import type { ChangeFeed, FeedPage } from './change-feed.ts'
import type { Subscription } from './subscription.ts'
import type { PendingBatch } from './subscription-state.ts'

/** The most changes in a batch. */
const MAX_CHANGES = 100
/** The most bytes of a batch with more than one change. Many receivers accept no more than 100 KB by default. */
const MAX_BYTES = 98_000

/** The next batch of a subscription, or only new cursors if there is no batch. */
export interface NextBatch {
  pending?: PendingBatch
  cursors: Cursors
  /** Whether the feed has no more changes. */
  isUpToDate: boolean
}

/** The feed's cursor of each lane. A lane is a part of the feed with its own cursor: one network, or all networks. */
type Cursors = Readonly<Record<string, string>>

interface Reading {
  cursors: Cursors
  feed: ChangeFeed
  /** Milliseconds since 1970. */
  now: () => number
  /** Ends the reading. */
  signal: AbortSignal
}

/** The name of the only lane of a subscription that does not wait for final blocks. */
const ALL_NETWORKS = 'all'

/**
 * Reads the feed until a batch is found or the feed has no more changes. If the signal is aborted between two pages,
 * returns the cursors that were reached. Throws the feed's errors.
 */
export async function readBatch(
  subscription: Subscription,
  { cursors: before, ...context }: Reading,
): Promise<NextBatch | 'expired'> {
  const { name, scope, finalized } = subscription
  // Finality is read before the events, because an event never changes if its block was final before the event was
  // read.
  const finality = finalized ? await context.feed.readFinality(context.signal) : undefined
  const lanes = finalized ? (scope.network ?? NETWORKS) : [ALL_NETWORKS]
  let cursors = before
  for (const lane of lanes) {
    const readable = finality && { network: lane as Network, through: finality.get(lane as Network) }
    for (;;) {
      const page = await readPage(subscription, { ...context, cursor: cursors[lane], final: readable })
      if (page === 'expired') return page
      const { changes, next, isEnd } = page
      if (next !== undefined) cursors = { ...cursors, [lane]: next }
      if (changes.length > 0)
        return {
          cursors: before,
          pending: batchOf(changes, { name, cursors, now: context.now() }),
          isUpToDate: false,
        }
      if (isEnd) break
      if (context.signal.aborted) return { cursors, isUpToDate: false }
    }
  }
  return { cursors, isUpToDate: true }
}

function batchOf(
  changes: readonly Change[],
  { name, cursors, now }: { name: string; cursors: Cursors; now: number },
): PendingBatch {
  const timestamp = new Date(now).toISOString()
  const body = JSON.stringify({ type: 'changes', timestamp, data: { subscription: name, changes } })
  return { id: `msg_${randomUUID()}`, body, changes: changes.length, cursors }
}

interface PageReading extends Omit<Reading, 'cursors'> {
  cursor: string | undefined
  /**
   * The lane's network and its last final block, if only final events are sent. `through` is undefined if no final
   * block is known.
   */
  final: { network: Network; through: number | undefined } | undefined
}

interface SendablePage {
  changes: readonly Change[]
  /** The cursor of the next read. Undefined if the next read starts without a cursor, like the first read. */
  next: string | undefined
  /** Whether the lane has no further changes that can be sent for now. */
  isEnd: boolean
}

/**
 * Reads a page whose changes can be sent in one batch. If a page has changes that do not fit or are not final yet,
 * reads the page again with a lower limit.
 */
async function readPage(
  { scope, from }: Subscription,
  { cursor, feed, signal, final }: PageReading,
): Promise<SendablePage | 'expired'> {
  const query = { ...scope, ...(final && { network: [final.network] }), from }
  // If no final block of the network is known, no event can be sent. The page is read only for its cursor.
  let limit = final && final.through === undefined ? 1 : MAX_CHANGES
  for (;;) {
    const page = await feed.read({ ...query, cursor, limit }, signal)
    if (page === 'expired') return page
    const fitting = Math.min(countFinal(page, final), countFitting(page))
    if (fitting === page.changes.length) {
      const changes = final ? page.changes.filter(({ change }) => change === 'added') : page.changes
      return { changes, next: page.next, isEnd: page.isUpToDate }
    }
    // The cursor does not move, so the next read returns the non-final events again, even if a reorganisation has moved
    // these events to other blocks.
    if (fitting === 0) return { changes: [], next: cursor, isEnd: true }
    limit = fitting
  }
}

/** The number of changes that precede the page's first event that is not final. */
function countFinal({ changes }: FeedPage, final: PageReading['final']): number {
  if (!final) return changes.length
  const { through = -1 } = final
  const first = changes.findIndex(({ change, record }) => change === 'added' && record.blockNumber > through)
  return first < 0 ? changes.length : first
}

/** The number of the page's first changes that fit into one body. 1 if even the first change is too large. */
function countFitting({ changes }: FeedPage): number {
  let bytes = 0
  for (const [index, change] of changes.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(change)) + 1
    if (bytes > MAX_BYTES) return Math.max(1, index)
  }
  return changes.length
}
