import type { BlockHeader } from '../../chain/nodes/block-header.ts'
import type { Network } from '../../events/networks.ts'
import { BEGINNING, endOfBlock, type Place } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { removalOf } from '../../events/revision.ts'
import type { Checkpoint } from '../../store/format/checkpoint.ts'
import { appendRevision } from '../../store/writing/append-revision.ts'
import { hasEventsBehind } from '../../store/writing/delete-events.ts'
import { isAtRest } from '../../store/writing/recent-blocks.ts'
import type { IndexSession } from './index-session.ts'

/**
 * Appends an entry about a reorganisation to the log of revisions: everything above the checkpoint may have changed,
 * and the listed events will be removed. Call this after the checkpoint moves back and before the events are removed.
 */
export async function logRevision(session: IndexSession, removed: readonly EventRecord[]): Promise<void> {
  const { network, changesKeptDays: keptDays } = session
  await appendRevision(
    {
      places: { [network]: placeOfCheckpoint(network, session.state.checkpoint) },
      removed: removed.map(removalOf),
    },
    { ...session.table, keptDays },
  )
}

/**
 * Appends an entry if the run may add events at places below those of stored events, so that readers of the feed read
 * everything above the checkpoint again. A run without a checkpoint may add events at lower places, because indexing
 * may have restarted. So may a run whose table has events or remembered blocks above the checkpoint, because the
 * previous writer may have been killed after it moved the checkpoint back, but before it appended an entry. Must be
 * called before a run's first write above the checkpoint.
 */
export async function logStart(session: IndexSession): Promise<void> {
  const { network, table, state } = session
  const { checkpoint, recent } = state
  const mayAdd = checkpoint === undefined || !isAtRest(recent, checkpoint)
  if (mayAdd || (await hasEventsBehind(placeOfCheckpoint(network, checkpoint), table))) {
    await logRevision(session, [])
  }
}

/** The place after all events up to the checkpoint. */
export function placeOfCheckpoint(network: Network, checkpoint: Checkpoint | undefined): Place {
  if (!checkpoint) return BEGINNING
  const { blockNumber: number, timestamp } = checkpoint
  return placeOfBlock(network, { number, timestamp })
}

/** The place after all events of a block. */
export const placeOfBlock = (
  network: Network,
  { number: blockNumber, timestamp: seconds }: Pick<BlockHeader, 'number' | 'timestamp'>,
): Place => endOfBlock({ seconds, blockNumber, network }, 'asc')
