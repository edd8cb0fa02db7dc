import { CHAINS } from '../../../events/networks.ts'
import { readThrough, type Through } from '../show/describe-finality.ts'
import { groupDigits } from '../show/short-texts.ts'
import { relativeTime } from '../show/times.ts'

interface FreshnessOptions {
  indexedThrough: string | undefined
  auditedThrough: string | undefined
  nowMs: number
}

/** The last indexed block and the last audited block of each network. */
export function Freshness({ indexedThrough, auditedThrough, nowMs }: FreshnessOptions) {
  const networks = readThrough(indexedThrough)
  if (networks.length === 0) return null
  const audited = new Map(readThrough(auditedThrough).map(through => [through.network, through]))
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
            <Audited through={audited.get(network)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The last audited block. An audit has proven that all events up to this block are equal to the chain's events. */
function Audited({ through }: { through: Through | undefined }) {
  if (!through) return null
  const { blockNumber, timestamp } = through
  return (
    <span class="quiet" title={`An audit has proven every event up to this block, which is of ${timestamp}`}>
      audited through block {groupDigits(blockNumber)}
    </span>
  )
}
