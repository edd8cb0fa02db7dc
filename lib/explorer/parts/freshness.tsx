import { CHAINS } from '../../events/networks.ts'
import { readThrough } from '../show/read-through.ts'
import { groupDigits } from '../show/short-texts.ts'
import { relativeTime } from '../show/times.ts'

interface FreshnessOptions {
  indexedThrough: string | undefined
  nowMs: number
}

/** Up to when each network is known. */
export function Freshness({ indexedThrough, nowMs }: FreshnessOptions) {
  const networks = readThrough(indexedThrough)
  if (networks.length === 0) return null
  return (
    <section class="freshness" aria-label="How current this is">
      <h3>Indexed through</h3>
      <ul>
        {networks.map(({ network, blockNumber, timestamp }) => (
          <li key={network}>
            <b>{CHAINS[network]?.label ?? network}</b> block {groupDigits(blockNumber)}
            <time class="quiet" dateTime={timestamp} title={timestamp}>
              {relativeTime(timestamp, nowMs)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}
