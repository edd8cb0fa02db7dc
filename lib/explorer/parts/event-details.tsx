import type { EventRecord } from '../../client/records.ts'
import { CHAINS } from '../../events/networks.ts'
import { CopyButton } from './copy-button.tsx'
import { Away } from './link-to.tsx'

interface EventDetailsOptions {
  record: EventRecord
}

const HEX = /0x[0-9a-f]{40}/
const ADDRESS = /^0x[0-9a-f]{40}$/

/** The record as the service has it: every field whole, with where else it can be looked up. */
export function EventDetails({ record }: EventDetailsOptions) {
  const { url, name } = CHAINS[record.network].explorer
  const elsewhere = (field: string, value: unknown): string | undefined => {
    if (field === 'transactionHash') return `${url}/tx/${value}`
    if (field === 'blockNumber') return `${url}/block/${value}`
    return typeof value === 'string' && ADDRESS.test(value) ? `${url}/address/${value}` : undefined
  }
  return (
    <div class="record">
      <dl>
        {Object.entries(record).map(([field, value]) => {
          const href = elsewhere(field, value)
          return (
            <div key={field}>
              <dt>{field}</dt>
              <dd>
                {Array.isArray(value) ? (
                  <Values values={value} />
                ) : (
                  <span class="whole">{String(value)}</span>
                )}
                {typeof value === 'string' && HEX.test(value) && <CopyButton text={value} what={field} />}
                {href && <Away href={href}>{name}</Away>}
              </dd>
            </div>
          )
        })}
      </dl>
      <CopyButton text={JSON.stringify(record, null, 2)} what="record as JSON" isWide />
    </div>
  )
}

/** A batch may have thousands. */
const Values = ({ values }: { values: readonly string[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: so that arrow keys scroll it.
  <span class="whole values" tabIndex={0}>
    {values.join(', ') || 'none'}
  </span>
)
