import { randomUUID } from 'node:crypto'
import type { Change } from '../../client/changes.ts'
import { NETWORKS, type Network } from '../../events/networks.ts'
import type { ChangeFeed, FeedPage, FeedQuery } from './change-feed.ts'
import type { Subscription } from './subscription.ts'
import type { PendingBatch } from './subscription-state.ts'

const MAX_CHANGES = 100
/** The maximum size in bytes of a batch of several changes: many receivers accept at most 100 KB by default. */
const MAX_BYTES = 98_000

/**
 * A lane is a part of the feed with its own cursor: one network, or all networks together. The least recently read lane
 * comes first.
 */
type Cursors = Readonly<Record<string, string>>

interface Reading {
  cursors: Cursors
  feed: ChangeFeed
  /** Milliseconds since 1970. */
  now: () => number
  signal: AbortSignal
}

const ALL_NETWORKS = 'all'

/**
 * Reads one page of each lane in turn, and stops after a page that has changes or is not the last page of its lane.
 * Resolves with the next batch, or with only the new cursors if there is no batch. `isLast` tells whether the batch
 * contained the feed's last changes when it was read. Throws the errors of `feed.read`.
 */
export async function readBatch(subscription: Subscription, { cursors: before, feed, now, signal }: Reading) {
  const { name, scope, finalized, from } = subscription
  const lanes = lanesOf(subscription, before)
  let cursors = before
  for (const lane of lanes) {
    const network = lane === ALL_NETWORKS ? scope.network : [lane as Network]
    const query = { ...scope, network, from, finalized: finalized || undefined, cursor: cursors[lane] }
    const page = await readPage(query, { feed, signal })
    if (page === 'expired') return page
    const { [lane]: _, ...others } = cursors
    cursors = { ...others, [lane]: page.next }
    // Removals are omitted, because nearly all of them concern events that never became final and were therefore never
    // sent.
    const changes = finalized ? page.changes.filter(({ change }) => change === 'added') : page.changes
    if (changes.length > 0) {
      const pending = batchOf(changes, { name, cursors, now: now() })
      return { cursors: before, pending, isUpToDate: false, isLast: page.isLast && lanes.length === 1 }
    }
    if (!page.isUpToDate) return { cursors, isUpToDate: false }
  }
  return { cursors, isUpToDate: true }
}

/**
 * The lanes, in reading order. For subscriptions to final events, earlier versions had one lane per network. States
 * from these versions keep their lanes, because a cursor is valid only for the networks that it was issued for.
 */
function lanesOf({ scope, finalized }: Subscription, cursors: Cursors): readonly string[] {
  const lanes = Object.keys(cursors)
  if (!finalized || lanes.length === 0 || ALL_NETWORKS in cursors) return [ALL_NETWORKS]
  return [...(scope.network ?? NETWORKS).filter(network => !lanes.includes(network)), ...lanes]
}

function batchOf(
  changes: readonly Change[],
  { name, cursors, now }: { name: string; cursors: Cursors; now: number },
): PendingBatch {
  const timestamp = new Date(now).toISOString()
  const body = JSON.stringify({ type: 'changes', timestamp, data: { subscription: name, changes } })
  return { id: `msg_${randomUUID()}`, body, changes: changes.length, cursors }
}

/** A page whose changes do not fit into one batch is read again with a lower limit. */
async function readPage(
  query: Omit<FeedQuery, 'limit'>,
  { feed, signal }: Pick<Reading, 'feed' | 'signal'>,
): Promise<(FeedPage & { isLast: boolean }) | 'expired'> {
  let limit = MAX_CHANGES
  for (;;) {
    const page = await feed.read({ ...query, limit }, signal)
    if (page === 'expired') return page
    const fitting = countFitting(page)
    if (fitting === page.changes.length) return { ...page, isLast: fitting < limit && !page.isPartial }
    limit = fitting
  }
}

/** Returns 1 if even the first change is too large, because a batch must contain at least one change. */
function countFitting({ changes }: FeedPage): number {
  let bytes = 0
  for (const [index, change] of changes.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(change)) + 1
    if (bytes > MAX_BYTES) return Math.max(1, index)
  }
  return changes.length
}
