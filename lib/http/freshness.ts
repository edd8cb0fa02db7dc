import type { IndexedThrough, ReadIndexedThrough } from '../query/freshness.ts'
import type { Ledger } from '../query/ledger.ts'

export interface Freshness {
  /**
   * To be called before a request's events are read: what was known then holds for them too. The returned
   * function tells, and enters what reading it has cost in the ledger of the request that it fell on.
   * Called when a function is loaded, it has the connection to the store opened for the first request.
   */
  begin(): (ledger: Ledger) => Promise<readonly IndexedThrough[]>
}

interface FreshnessOptions {
  now?: () => number
  /** What is older is read again, for the requests to come. */
  maxAgeMs?: number
  /** What is older is no longer told; a request then waits for the reading. */
  maxStaleMs?: number
  /** A request waits for no longer than this, and then tells nothing. */
  patienceMs?: number
  /** A reading that takes longer is not waited for: Lambda may have frozen the instance, and its connection is dead. */
  lostMs?: number
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
    patienceMs = 500,
    lostMs = 1000,
  } = options
  let known: Known | undefined
  let underWay: { since: number; ended: Promise<void> } | undefined
  const unaccounted: Pick<Ledger, 'calls' | 'rowsExamined' | 'readUnits'>[] = []

  async function refresh(readAt: number) {
    try {
      const { networks, calls, examined: rowsExamined, readUnits } = await read()
      if (!known || known.readAt < readAt) known = { networks, readAt }
      unaccounted.push({ calls, rowsExamined, readUnits })
    } catch {
      // The events may still be readable; whether the table is in trouble shows there.
    } finally {
      if (underWay?.since === readAt) underWay = undefined
    }
  }

  return {
    begin() {
      const before = known
      const at = now()
      const ageMs = known ? at - known.readAt : Number.POSITIVE_INFINITY
      if (underWay && at - underWay.since >= lostMs) underWay = undefined
      if (ageMs >= maxAgeMs) underWay ??= { since: at, ended: refresh(at) }
      const waited = ageMs >= maxStaleMs ? underWay?.ended : undefined
      const told = waited ? undefined : known?.networks
      return async ledger => {
        if (waited) await withPatience(waited, patienceMs)
        for (const cost of unaccounted.splice(0)) {
          ledger.calls += cost.calls
          ledger.rowsExamined += cost.rowsExamined
          ledger.readUnits += cost.readUnits
        }
        return told ?? (known !== before && known ? known.networks : [])
      }
    },
  }
}

async function withPatience(promise: Promise<unknown>, patienceMs: number) {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise(resolve => {
    timer = setTimeout(resolve, patienceMs)
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
