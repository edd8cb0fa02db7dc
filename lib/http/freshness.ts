import { NETWORKS, type Network } from '../events/networks.ts'
import type { FinalBlocks } from '../query/cursor.ts'
import { OtherNetworksError } from '../query/errors.ts'
import type { ReadIndexedThrough } from '../query/event-store.ts'
import {
  CLOCK_DIFFERENCE_SECONDS,
  finalThroughOf,
  INDEX_LAG_SECONDS,
  type IndexedThrough,
  settledThrough,
} from '../query/indexed-through.ts'
import type { RequestCost } from '../query/request-cost.ts'

export interface Freshness {
  /** Starts a read of the checkpoints, so that the first request waits for less time. */
  prefetch(): void
  /**
   * Returns how far the networks are indexed. Call this method before the request reads its events. The events then
   * include every event up to the returned blocks. If no recent result is cached, waits for a read. If the cached
   * result is due for a refresh, the refresh runs in parallel with the request's own reads.
   */
  current(): Promise<KnownFreshness>
  /**
   * Like `current`, for a request that depends on finality. Waits longer than `current`. If the cached finalized blocks
   * are lower than `finalBefore`, the finalized blocks of the previous page, reads again.
   */
  finality(finalBefore: FinalBlocks): Promise<KnownFreshness>
  /**
   * Throws `OtherNetworksError` if the networks of the table differ from the configured networks. Starts no read. If
   * the first read is in flight, waits for it.
   */
  checkTable(): Promise<void>
  /** Adds to `total` the cost of all reads since the last call of `charge`. */
  charge(total: RequestCost): void
}

export interface KnownFreshness {
  /** Whether a recent result exists. */
  isKnown: boolean
  indexed: readonly IndexedThrough[]
  /**
   * For each network, the last final block whose events all indexes have, so pages of blocks up to this block are
   * complete. The network's notes show this block. For a network without notes, it is the last block that was final so
   * long ago that the indexes have caught up since, if no result since then had a lower final block.
   */
  lastFinal: ReadonlyMap<Network, number>
}

interface FreshnessOptions {
  /** A clock in milliseconds that continues while Lambda freezes the instance. Someone may set the clock back. */
  now?: () => number
  /** The age of a result at which a request starts a refresh for later requests. */
  maxAgeMs?: number
  /** The age of a result at which it is stale and no longer used. A request then waits for a read. */
  maxStaleMs?: number
  /** The longest wait of a request. If the wait ends with no result, requests of the next seconds do not wait. */
  maxWaitMs?: number
  /** The longest wait of a request that depends on finality. */
  maxFinalityWaitMs?: number
  /**
   * The duration after which a read is abandoned. Lambda may have frozen the instance, so that the read's connection is
   * dead.
   */
  abandonAfterMs?: number
  /** The age of a result at which all indexes are assumed to have caught up with it. */
  confirmAfterMs?: number
}

interface Known {
  networks: readonly IndexedThrough[]
  /** When the read began. */
  readAt: number
  /**
   * The number of the read. Reads are numbered in the order in which they begin, because they may end in another order.
   */
  reading: number
}

/**
 * Caches how far the networks are indexed. However many requests come, the checkpoints are read at most once in some
 * seconds. If a read fails or hangs, no request fails. In this case, only one request in some seconds waits.
 */
export function createFreshness(read: ReadIndexedThrough, options: FreshnessOptions = {}): Freshness {
  const {
    now = Date.now,
    maxAgeMs = 5000,
    maxStaleMs = 30_000,
    maxWaitMs = 500,
    maxFinalityWaitMs = 2000,
    abandonAfterMs = 1000,
    confirmAfterMs = 1000 * (INDEX_LAG_SECONDS + CLOCK_DIFFERENCE_SECONDS),
  } = options
  let known: Known | undefined
  /**
   * The finalized blocks of the newest result with which all indexes have caught up. The blocks of `unconfirmed` replace
   * them when `unconfirmed` is old enough.
   */
  let confirmed: ReadonlyMap<Network, number> = new Map()
  let unconfirmed: Known | undefined
  let underWay: { since: number; reading: number; ended: Promise<void> } | undefined
  let readings = 0
  let waitedInVainAt: number | undefined
  let refusal: OtherNetworksError | undefined
  const uncharged: Pick<RequestCost, 'calls' | 'rowsExamined' | 'readUnits'>[] = []

  /** The time since `since`. Infinite if the clock was set back, because the age is then unknown. */
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
      refusal = undefined
      confirm()
      const before = known
      if (!known || known.reading < reading) known = { networks, readAt, reading }
      unconfirmed ??= known
      // An index that was restarted stores its blocks again, so the indexes must catch up again.
      if (isBehind(known.networks, Object.fromEntries(finalThroughOf(before?.networks ?? [])))) {
        confirmed = lastFinalOf(known.networks, confirmed)
        unconfirmed = known
      }
      uncharged.push({ calls, rowsExamined, readUnits })
    } catch (error) {
      // Other errors are ignored. The events may still be readable, and the requests' own reads show whether the table
      // fails.
      if (error instanceof OtherNetworksError) refusal = error
    } finally {
      if (underWay?.reading === reading) underWay = undefined
    }
  }

  const isRecent = () => elapsedMs(known?.readAt) < maxStaleMs

  function tell(): KnownFreshness {
    if (refusal) throw refusal
    confirm()
    const indexed = (isRecent() && known?.networks) || []
    const complete = new Map(
      indexed.map(({ network, notes }) => [
        network,
        notes && notes.length > 0 ? settledThrough(notes, now() / 1000) : (confirmed.get(network) ?? -1),
      ]),
    )
    return { isKnown: isRecent(), indexed, lastFinal: lastFinalOf(indexed, complete) }
  }

  function confirm() {
    if (!unconfirmed || now() - unconfirmed.readAt < confirmAfterMs) return
    confirmed = finalThroughOf(unconfirmed.networks)
    unconfirmed = known
  }

  async function current(): Promise<KnownFreshness> {
    const isDue = elapsedMs(known?.readAt) >= maxAgeMs && elapsedMs(waitedInVainAt) >= maxAgeMs
    // `setImmediate` lets the request's own call to the table begin first, because there may be only one connection.
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
    async checkTable() {
      if (!known && underWay) await withPatience(underWay.ended, maxWaitMs)
      if (refusal) throw refusal
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

/** Returns the finalized block of each network, or the block in `upTo` if that is lower. */
const lastFinalOf = (
  networks: readonly IndexedThrough[],
  upTo: ReadonlyMap<Network, number>,
): ReadonlyMap<Network, number> =>
  new Map(
    networks.map(({ network, finalizedBlock = -1 }) => [
      network,
      Math.min(finalizedBlock, upTo.get(network) ?? -1),
    ]),
  )

async function withPatience(promise: Promise<unknown>, ms: number) {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, patience])
  clearTimeout(timer)
}
