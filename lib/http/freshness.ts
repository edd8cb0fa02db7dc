import { NETWORKS, type Network } from '../events/networks.ts'
import type { FinalBlocks } from '../query/cursor.ts'
import { finalThroughOf, type IndexedThrough, type ReadIndexedThrough } from '../query/indexed-through.ts'
import type { RequestCost } from '../query/request-cost.ts'

export interface Freshness {
  /** Begins a reading ahead of the first request, which then need not wait as long. */
  prefetch(): void
  /**
   * To be asked before a request's events are read, so that what it says holds for them too. Waits where
   * nothing recent is known; otherwise it is read again, where that is due, beside the request's own reading.
   */
  current(): Promise<KnownFreshness>
  /**
   * The same for a request that cannot be answered without it: waits longer, and where less is known to be final than
   * another instance has told already, until it is read again.
   */
  finality(finalBefore: FinalBlocks): Promise<KnownFreshness>
  /** Adds what reading has cost since the last request to the cost of this one. */
  charge(total: RequestCost): void
}

export interface KnownFreshness {
  /** Whether it could be read, not long ago. */
  isKnown: boolean
  indexed: readonly IndexedThrough[]
  /**
   * The last block of each network that was final some time ago already, and still is: all indexes of the table
   * have followed since, so pages of blocks up to there are whole.
   */
  lastFinal: ReadonlyMap<Network, number>
}

interface FreshnessOptions {
  /** Milliseconds of a clock that runs on while Lambda has an instance frozen; it may be set back. */
  now?: () => number
  /** What is older is read again, for the requests to come. */
  maxAgeMs?: number
  /** What is older is no longer told; a request then waits for the reading. */
  maxStaleMs?: number
  /** A request waits for no longer than this, and then tells nothing; nor do others wait in the next seconds. */
  maxWaitMs?: number
  /** A request that cannot be answered without it waits for no longer than this. */
  maxFinalityWaitMs?: number
  /** A reading that takes longer is not waited for: Lambda may have frozen the instance, and its connection is dead. */
  abandonAfterMs?: number
  /** The indexes mostly follow the table within a second; after a backfill of crowded blocks in some. */
  confirmAfterMs?: number
}

interface Known {
  networks: readonly IndexedThrough[]
  /** When its reading began. */
  readAt: number
  /** Its number: readings may end in another order than they began. */
  reading: number
}

/**
 * How far the networks are indexed, read once in some seconds at most, however many requests there are. A
 * reading that fails or hangs fails no answer, and delays one in some seconds.
 */
export function createFreshness(read: ReadIndexedThrough, options: FreshnessOptions = {}): Freshness {
  const {
    now = Date.now,
    maxAgeMs = 5000,
    maxStaleMs = 30_000,
    maxWaitMs = 500,
    maxFinalityWaitMs = 2000,
    abandonAfterMs = 1000,
    confirmAfterMs = 60_000,
  } = options
  let known: Known | undefined
  /** The newest reading that all indexes have caught up with, and the one that follows it once it is old enough. */
  let confirmed: Known | undefined
  let unconfirmed: Known | undefined
  let underWay: { since: number; reading: number; ended: Promise<void> } | undefined
  let readings = 0
  let waitedInVainAt: number | undefined
  const uncharged: Pick<RequestCost, 'calls' | 'rowsExamined' | 'readUnits'>[] = []

  /** Infinite where the clock was set back, for then it is unknown. */
  function elapsedMs(since: number | undefined): number {
    const elapsed = since === undefined ? -1 : now() - since
    return elapsed < 0 ? Number.POSITIVE_INFINITY : elapsed
  }

  function begin(): Promise<void> {
    if (underWay && elapsedMs(underWay.since) >= abandonAfterMs) underWay = undefined
    if (!underWay) {
      const since = now()
      readings += 1
      underWay = { since, reading: readings, ended: refresh(since, readings) }
    }
    return underWay.ended
  }

  async function refresh(readAt: number, reading: number): Promise<void> {
    try {
      const { networks, calls, examined: rowsExamined, readUnits } = await read()
      if (!known || known.reading < reading) known = { networks, readAt, reading }
      unconfirmed ??= known
      uncharged.push({ calls, rowsExamined, readUnits })
    } catch {
      // The events may still be readable; whether the table is in trouble shows there.
    } finally {
      if (underWay?.reading === reading) underWay = undefined
    }
  }

  const isRecent = () => elapsedMs(known?.readAt) < maxStaleMs

  function tell(): KnownFreshness {
    confirm()
    const indexed = (isRecent() && known?.networks) || []
    return { isKnown: isRecent(), indexed, lastFinal: lastFinalOf(confirmed?.networks ?? [], indexed) }
  }

  function confirm() {
    if (!unconfirmed || now() - unconfirmed.readAt < confirmAfterMs) return
    confirmed = unconfirmed
    unconfirmed = known
  }

  async function current(): Promise<KnownFreshness> {
    const isDue = elapsedMs(known?.readAt) >= maxAgeMs && elapsedMs(waitedInVainAt) >= maxAgeMs
    // The request's own call comes first: there may be just one connection.
    if (isDue && isRecent()) setImmediate(begin)
    else if (isDue) {
      await withPatience(begin(), maxWaitMs)
      waitedInVainAt = isRecent() ? undefined : now()
    }
    return tell()
  }

  return {
    prefetch: () => void begin(),
    current,
    async finality(finalBefore) {
      if (isRecent() && !isBehind(known?.networks ?? [], finalBefore)) return current()
      const readingBefore = known?.reading
      await withPatience(begin(), maxFinalityWaitMs)
      return { ...tell(), ...(known?.reading === readingBefore && { isKnown: false }) }
    },
    charge(total) {
      for (const cost of uncharged.splice(0)) {
        total.calls += cost.calls
        total.rowsExamined += cost.rowsExamined
        total.readUnits += cost.readUnits
      }
    },
  }
}

function isBehind(networks: readonly IndexedThrough[], finalBefore: FinalBlocks): boolean {
  const finalNow = finalThroughOf(networks)
  return NETWORKS.some(network => (finalNow.get(network) ?? -1) < (finalBefore[network] ?? -1))
}

/** The lesser of then and now: an indexing that was begun anew has not come as far. */
function lastFinalOf(
  then: readonly IndexedThrough[],
  now: readonly IndexedThrough[],
): ReadonlyMap<Network, number> {
  const before = new Map(then.map(({ network, finalizedBlock = -1 }) => [network, finalizedBlock]))
  return new Map(
    now.map(({ network, finalizedBlock = -1 }) => [
      network,
      Math.min(finalizedBlock, before.get(network) ?? -1),
    ]),
  )
}

async function withPatience(promise: Promise<unknown>, ms: number) {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, patience])
  clearTimeout(timer)
}
