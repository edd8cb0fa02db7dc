import type { EventPage } from '../../../client/create-events-client.ts'
import { CHAINS } from '../../../events/networks.ts'
import { readThrough } from '../show/describe-finality.ts'
import { groupDigits } from '../show/short-texts.ts'
import { relativeTime } from '../show/times.ts'

export function Freshness({ indexedThrough, auditedThrough }: Partial<EventPage>) {
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
              {relativeTime(timestamp, Date.now())}
            </time>
            {audited.has(network) && (
              <span
                class="quiet"
                title={`An audit has proven every event up to this block (${audited.get(network)?.timestamp})`}
              >
                audited through block {groupDigits(audited.get(network)?.blockNumber ?? '')}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
