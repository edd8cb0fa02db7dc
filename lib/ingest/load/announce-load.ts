import { randomUUID } from 'node:crypto'
import type { Network } from '../../events/networks.ts'
import { beforeSecond, compareByTime, type Place } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { LOAD_ANNOUNCED_MS } from '../../events/revision.ts'
import { type Clock, MONOTONIC_CLOCK, startTimer } from '../../store/clock.ts'
import { appendRevision, type RevisionTable } from '../../store/writing/append-revision.ts'

/**
 * The maximum time between an announcement and the start of a write. The announcement remains valid for longer, to
 * cover the write itself: three SDK attempts of 30 seconds each, and the delays between them.
 */
const WRITES_BEGIN_MS = LOAD_ANNOUNCED_MS / 10
/**
 * If an event is below the announced place, the place moves this far below the event, and each later move doubles this
 * margin.
 */
const FIRST_MARGIN_SECONDS = 3600

interface Covered {
  /** An event below this place needs a new announcement. */
  place: Place
  /** The time of the earliest event so far, in Unix seconds. */
  first: number
  marginSeconds: number
}

/**
 * Warns readers of the feed of changes that a load may add events at places that they have already read. Appends an
 * entry to the log of revisions before the first event, and before an event below the announced place. Also appends an
 * entry every 15 seconds while events are written, and at the end. Readers treat a load as dead after two and a half
 * minutes without an announcement, so a paused load announces itself again before its next write.
 */
export function announceLoad(table: RevisionTable, { clock = MONOTONIC_CLOCK }: { clock?: Clock } = {}) {
  const id = randomUUID()
  const covered = new Map<Network, Covered>()
  let sinceAnnounced = () => Number.POSITIVE_INFINITY
  let renewing: Promise<void> | undefined

  async function announce(): Promise<void> {
    const sinceSent = startTimer(clock)
    const places = Object.fromEntries([...covered].map(([network, { place }]) => [network, place]))
    await appendRevision({ places, removed: [], load: { id, hasEnded: false } }, table)
    if (sinceSent() < sinceAnnounced()) sinceAnnounced = sinceSent
  }

  function renewOnce(): Promise<void> {
    renewing ??= announce().finally(() => {
      renewing = undefined
    })
    return renewing
  }

  const isFresh = () => sinceAnnounced() < WRITES_BEGIN_MS

  return {
    /**
     * Makes an announcement if no announcement covers the event yet. Must be awaited before the event reaches the
     * writer.
     */
    async cover({ network, createdAt }: EventRecord) {
      const seconds = Date.parse(createdAt) / 1000
      const known = covered.get(network)
      const first = Math.min(seconds, known?.first ?? seconds)
      if (known && compareByTime(known.place, beforeSecond(seconds, network)) <= 0) {
        known.first = first
        return
      }
      const marginSeconds = known ? 2 * known.marginSeconds || FIRST_MARGIN_SECONDS : 0
      const place = beforeSecond(Math.max(0, seconds - marginSeconds), network)
      covered.set(network, { place, first, marginSeconds })
      await announce()
    },
    /** Announces the load again if the last announcement is too old for a write. Await this before each write. */
    async renew() {
      while (!isFresh()) await renewOnce()
    },
    /** Announces the end of the load. Must be called only when all events are stored and no write is in progress. */
    async end() {
      if (covered.size === 0) return
      const places = Object.fromEntries(
        [...covered].map(([network, { first }]) => [network, beforeSecond(first, network)]),
      )
      await appendRevision({ places, removed: [], load: { id, hasEnded: true } }, table)
    },
  }
}
