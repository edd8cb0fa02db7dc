import { randomUUID } from 'node:crypto'
import type { Network } from '../events/networks.ts'
import { beforeSecond, compareByTime, type Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { LOAD_ANNOUNCED_MS } from '../events/rewind.ts'
import { appendRewind, type RewindTable } from '../store/append-rewind.ts'
import { type Clock, MONOTONIC_CLOCK } from '../store/clock.ts'

/**
 * A write is begun for as long after an announcement as this. The rest of the time in which it holds is for the write
 * itself: three attempts of the SDK, each of them with half a minute, and what it waits between them.
 */
const WRITES_BEGIN_MS = LOAD_ANNOUNCED_MS / 10
/** What is announced beyond an event that comes before all others, at first; twice as much each time. */
const FIRST_MARGIN_SECONDS = 3600

export interface LoadAnnouncer {
  /** To be awaited before an event is given to be written. */
  cover(record: EventRecord): Promise<void>
  /** To be awaited right before each write. */
  renew(): Promise<void>
  /** All that was covered is stored, and no write is on its way. */
  end(): Promise<void>
}

interface Covered {
  /** No event before is written without another announcement. */
  place: Place
  /** The first event's second. */
  first: number
  marginSeconds: number
}

/**
 * Tells those who follow the table's events that some are being added behind which they may have read on already: in
 * the log of rewinds, before the first of them, every few seconds while they are written, and once all are stored. A
 * load that dies is taken for dead when it has announced nothing for two minutes and a half, so a load that was stopped
 * for a while announces itself again before it writes on.
 */
export function announceLoad(
  table: RewindTable,
  { clock = MONOTONIC_CLOCK }: { clock?: Clock } = {},
): LoadAnnouncer {
  const id = randomUUID()
  const covered = new Map<Network, Covered>()
  let announcedAt = Number.NEGATIVE_INFINITY
  let renewing: Promise<void> | undefined

  async function announce(): Promise<void> {
    const sentAt = clock.now()
    const places = Object.fromEntries([...covered].map(([network, { place }]) => [network, place]))
    await appendRewind({ places, removed: [], load: { id, hasEnded: false } }, table)
    announcedAt = Math.max(announcedAt, sentAt)
  }

  function renewOnce(): Promise<void> {
    renewing ??= announce().finally(() => {
      renewing = undefined
    })
    return renewing
  }

  const isFresh = () => clock.now() - announcedAt < WRITES_BEGIN_MS

  return {
    async cover({ network, createdAt }) {
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
    async renew() {
      while (!isFresh()) await renewOnce()
    },
    async end() {
      if (covered.size === 0) return
      const places = Object.fromEntries(
        [...covered].map(([network, { first }]) => [network, beforeSecond(first, network)]),
      )
      await appendRewind({ places, removed: [], load: { id, hasEnded: true } }, table)
    },
  }
}
