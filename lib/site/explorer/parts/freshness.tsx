import type { EventPage } from '../../../client/create-events-client.ts'
import { CHAINS } from '../../../events/networks.ts'
import { readThrough } from '../show/describe-finality.ts'
import { groupDigits } from '../show/short-texts.ts'
import { relativeTime } from '../show/times.ts'

export function Freshness({ indexedThrough, auditedThrough }: Partial<EventPage>) {
  const networks = readThrough(indexedThrough)
  if (networks.length === 0) return null
  const audits = readThrough(auditedThrough)
  return (
    <section class="freshness" aria-label="How current the data is">
      <h3>Indexed through</h3>
      <ul>
        {networks.map(({ network, blockNumber, timestamp }) => {
          const audited = audits.find(through => through.network === network)
          return (
            <li key={network}>
              <b>{CHAINS[network]?.label ?? network}</b> block {groupDigits(blockNumber)}
              <time class="quiet" dateTime={timestamp} title={timestamp}>
                {relativeTime(timestamp, Date.now())}
              </time>
              {audited && (
                <span
                  class="quiet"
                  title={`An audit has proven every event up to this block (${audited.timestamp})`}
                >
                  audited through block {groupDigits(audited.blockNumber)}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
