import type { IndexedThrough, ReadIndexedThrough } from '../query/freshness.ts'
import type { Ledger } from '../query/ledger.ts'

export interface Freshness {
  /** Begins a reading ahead of the first request: it has the connection to the store opened. */
  prefetch(): void
  /**
   * To be asked before a request's events are read, so that what it says holds for them too. Waits where
   * nothing recent is known; otherwise it is read again, where that is due, beside the request's own reading.
   */
  current(): Promise<KnownFreshness>
  /** Enters what reading has cost since the last request in the ledger of this one. */
  charge(ledger: Ledger): void
}

interface KnownFreshness {
  indexed: readonly IndexedThrough[]
  /** As it was some time ago: all indexes of the table have followed since, so pages of final blocks are whole. */
  settled: readonly IndexedThrough[]
}

interface FreshnessOptions {
  now?: () => number
  /** What is older is read again, for the requests to come. */
  maxAgeMs?: number
  /** What is older is no longer told; a request then waits for the reading. */
  maxStaleMs?: number
  /** A request waits for no longer than this, and then tells nothing. */
  maxWaitMs?: number
  /** A reading that takes longer is not waited for: Lambda may have frozen the instance, and its connection is dead. */
  abandonAfterMs?: number
  /** The indexes mostly follow the table within a second; after a backfill of crowded blocks in some. */
  settleMs?: number
}

interface Known {
  networks: readonly IndexedThrough[]
  /** When its reading began. */
  readAt: number
}

/**
 * How far the networks are indexed, read once in some seconds at most, however many requests there are. A
 * reading that fails delays and fails no answer.
 */
export function createFreshness(read: ReadIndexedThrough, options: FreshnessOptions = {}): Freshness {
  const {
    now = performance.now.bind(performance),
    maxAgeMs = 5000,
    maxStaleMs = 30_000,
    maxWaitMs = 500,
    abandonAfterMs = 1000,
    settleMs = 60_000,
  } = options
  let known: Known | undefined
  let settling: Known | undefined
  let settled: Known | undefined
  let underWay: { since: number; ended: Promise<void> } | undefined
  const uncharged: Pick<Ledger, 'calls' | 'rowsExamined' | 'readUnits'>[] = []

  function begin(): Promise<void> {
    const since = now()
    if (underWay && since - underWay.since >= abandonAfterMs) underWay = undefined
    underWay ??= { since, ended: refresh(since) }
    return underWay.ended
  }

  async function refresh(readAt: number): Promise<void> {
    try {
      const { networks, calls, examined: rowsExamined, readUnits } = await read()
      if (!known || known.readAt < readAt) known = { networks, readAt }
      settling ??= known
      uncharged.push({ calls, rowsExamined, readUnits })
    } catch {
      // The events may still be readable; whether the table is in trouble shows there.
    } finally {
      if (underWay?.since === readAt) underWay = undefined
    }
  }

  const ageMs = (reading: Known | undefined) => (reading ? now() - reading.readAt : Number.POSITIVE_INFINITY)

  return {
    prefetch: () => void begin(),
    async current() {
      if (ageMs(known) >= maxStaleMs) await withPatience(begin(), maxWaitMs)
      // The request's own call comes first: there may be just one connection.
      else if (ageMs(known) >= maxAgeMs) setImmediate(begin)
      if (settling && ageMs(settling) >= settleMs) {
        settled = settling
        settling = known
      }
      const isRecent = ageMs(known) < maxStaleMs
      return { indexed: (isRecent && known?.networks) || [], settled: settled?.networks ?? [] }
    },
    charge(ledger) {
      for (const cost of uncharged.splice(0)) {
        ledger.calls += cost.calls
        ledger.rowsExamined += cost.rowsExamined
        ledger.readUnits += cost.readUnits
      }
    },
  }
}

async function withPatience(promise: Promise<unknown>, ms: number) {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, patience])
  clearTimeout(timer)
}

/** The value of `X-Indexed-Through`, as `base=34160634@2025-08-13T10:20:15Z`; undefined when there is nothing to tell. */
export function indexedThroughHeader(networks: readonly IndexedThrough[]): string | undefined {
  const parts = networks
    .toSorted((a, b) => (a.network < b.network ? -1 : 1))
    .map(({ network, blockNumber, timestamp }) => {
      const time = new Date(timestamp * 1000).toISOString().replace('.000Z', 'Z')
      return `${network}=${blockNumber}@${time}`
    })
  return parts.length === 0 ? undefined : parts.join(', ')
}
