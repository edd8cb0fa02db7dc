import { NETWORKS, type Network } from '../events/networks.ts'
import type { FinalBlocks } from '../query/cursor.ts'
import { OtherNetworksError, StoreUnavailableError } from '../query/errors.ts'
import type { ReadIndexedThrough } from '../query/event-store.ts'
import { finalThroughOf, type IndexedThrough, settledThrough } from '../query/indexed-through.ts'
import { addCosts, noCost, type RequestCost } from '../query/request-cost.ts'

export interface Freshness {
  /** Starts a read of the checkpoints, so that the first request waits less. */
  prefetch(): void
  /**
   * Call this method before reading events, because otherwise, events up to the returned blocks could be missing from
   * the answer. If no recent result is cached, waits for a read. A cached result is refreshed in parallel with the
   * request's own reads.
   */
  current(): Promise<KnownFreshness>
  /**
   * Like `current`, but waits longer, because the request depends on finality. `finalBefore` contains the final blocks
   * of the previous page. If a cached final block is lower than the block in `finalBefore`, reads again. Throws the
   * read's error if the read fails, or `StoreUnavailableError` if it hangs.
   */
  finality(finalBefore: FinalBlocks): Promise<KnownFreshness>
  /**
   * Throws `OtherNetworksError` if a read has found a table with the wrong networks. Starts no read, but waits for the
   * first read if that read is in flight.
   */
  checkTable(): Promise<void>
  /** Adds to `total` the cost of all reads since the last call to `charge`. */
  charge(total: RequestCost): void
}

export interface KnownFreshness {
  indexed: readonly IndexedThrough[]
  /** The highest final block up to which all indexes are known to be complete, or -1 if there is no such block. */
  lastFinal: ReadonlyMap<Network, number>
}

interface FreshnessOptions {
  /** A clock in milliseconds that keeps running while Lambda freezes the instance, but may be set back. */
  now?: () => number
  /**
   * The longest wait of a request. After a wait without a result, no request waits again until `MAX_AGE_MS` has passed.
   */
  maxWaitMs?: number
  maxFinalityWaitMs?: number
}

/** The age of a result at which a request starts a refresh for later requests. */
const MAX_AGE_MS = 5000
/** The age at which a result is no longer used, so that a request waits for a read. */
const MAX_STALE_MS = 30_000
/** A read is abandoned after this time, because its connection may have died while Lambda froze the instance. */
const ABANDON_AFTER_MS = 1000

const NO_FINAL_BLOCKS = 'The final blocks could not be read in time'

/**
 * Unless a request depends on finality, the checkpoints are read at most once every few seconds. If a read fails or
 * hangs, requests that do not depend on finality are still answered, and at most one of them waits every few seconds.
 */
export function createFreshness(read: ReadIndexedThrough, options: FreshnessOptions = {}): Freshness {
  const { now = Date.now, maxWaitMs = 500, maxFinalityWaitMs = 2000 } = options
  let newest: { networks: readonly IndexedThrough[]; readAt: number } | undefined
  let underWay: { since: number; ended: Promise<void> } | undefined
  let waitedInVainAt: number | undefined
  /** Why the last read failed. */
  let failure: unknown
  let uncharged = noCost()

  /**
   * Returns infinity if `since` is undefined, or if the clock was set back, because the elapsed time is then unknown.
   */
  function elapsedMs(since: number | undefined): number {
    const elapsed = since === undefined ? -1 : now() - since
    return elapsed < 0 ? Number.POSITIVE_INFINITY : elapsed
  }

  const isRecent = () => elapsedMs(newest?.readAt) < MAX_STALE_MS

  function begin(): Promise<void> {
    if (underWay && elapsedMs(underWay.since) < ABANDON_AFTER_MS) return underWay.ended
    const reading = { since: now(), ended: Promise.resolve() }
    underWay = reading
    reading.ended = refresh(reading)
    return reading.ended
  }

  async function refresh(reading: { since: number }): Promise<void> {
    try {
      const { networks, calls, examined: rowsExamined, readUnits } = await read()
      uncharged = addCosts(uncharged, { ...noCost(), calls, rowsExamined, readUnits })
      // The result of this read is ignored, because a later read has begun and will return newer data.
      if (underWay !== reading) return
      failure = undefined
      newest = { networks, readAt: reading.since }
    } catch (error) {
      // No later error replaces an `OtherNetworksError`, because a table with the wrong networks is refused until a
      // read succeeds.
      if (!(failure instanceof OtherNetworksError)) failure = error
    } finally {
      if (underWay === reading) underWay = undefined
    }
  }

  /** Ignores other errors, because events may still be readable, and if they are not, the requests' own reads fail. */
  function refuseOtherNetworks() {
    if (failure instanceof OtherNetworksError) throw failure
  }

  function tell(): KnownFreshness {
    refuseOtherNetworks()
    const indexed = (isRecent() && newest?.networks) || []
    const lastFinal = indexed.map(
      ({ network, finalizedBlock = -1, notes = [] }) =>
        [network, Math.min(finalizedBlock, settledThrough(notes, now() / 1000))] as const,
    )
    return { indexed, lastFinal: new Map(lastFinal) }
  }

  async function current(): Promise<KnownFreshness> {
    const isDue = elapsedMs(newest?.readAt) >= MAX_AGE_MS && elapsedMs(waitedInVainAt) >= MAX_AGE_MS
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
      const before = newest
      if (isRecent() && !isBehind(before?.networks ?? [], finalBefore)) return current()
      await withPatience(begin(), maxFinalityWaitMs)
      if (newest === before || !isRecent())
        throw failure ?? new StoreUnavailableError(new Error(NO_FINAL_BLOCKS))
      return tell()
    },
    async checkTable() {
      if (!newest && underWay) await withPatience(underWay.ended, maxWaitMs)
      refuseOtherNetworks()
    },
    charge(total) {
      Object.assign(total, addCosts(total, uncharged))
      uncharged = noCost()
    },
  }
}

function isBehind(networks: readonly IndexedThrough[], finalBefore: FinalBlocks): boolean {
  const finalNow = finalThroughOf(networks)
  return NETWORKS.some(network => (finalNow.get(network) ?? -1) < (finalBefore[network] ?? -1))
}

async function withPatience(promise: Promise<unknown>, ms: number) {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, patience])
  clearTimeout(timer)
}
