import { BEGINNING, endOfBlock, type Place } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { appendRewind } from '../../store/append-rewind.ts'
import { hasEventsBehind } from '../../store/has-events-behind.ts'
import { type IndexSession, recentTableOf } from './index-session.ts'

/**
 * Writes into the log of rewinds that the chain goes on from the checkpoint in another way, and that these events are
 * about to be removed. The checkpoint must have moved back before.
 */
export async function logRewind(session: IndexSession, removed: readonly EventRecord[]): Promise<void> {
  const { network, changesKeptDays: keptDays } = session
  await appendRewind(
    {
      places: { [network]: placeOfCheckpoint(session) },
      removed: removed.map(({ id, blockNumber, blockHash, address, event }) => ({
        id,
        network,
        blockNumber,
        blockHash,
        address,
        event,
      })),
    },
    { ...recentTableOf(session), keptDays },
  )
}

/**
 * Before a run writes anything: where it may add events before some that are stored already, who follows is to come
 * back. That is so without a checkpoint, for indexing may have been begun anew; and where others have written events
 * above it while no indexer was at work.
 */
export async function logStart(session: IndexSession): Promise<void> {
  const isNew = session.state.checkpoint === undefined
  if (isNew || (await hasEventsBehind(placeOfCheckpoint(session), recentTableOf(session)))) {
    await logRewind(session, [])
  }
}

function placeOfCheckpoint({ network, state: { checkpoint } }: IndexSession): Place {
  if (!checkpoint) return BEGINNING
  const { blockNumber, timestamp: seconds } = checkpoint
  return endOfBlock({ seconds, blockNumber, network, logIndex: 0 }, 'asc')
}
