import { useContext } from 'preact/hooks'
import type { EventRecord } from '../../../client/records.ts'
import { CHAINS } from '../../../events/networks.ts'
import { itemsOf } from '../occurrence/describe-occurrence.ts'
import { isLocal, LocalContracts } from '../state/local-contracts.ts'
import { CopyButton } from './copy-button.tsx'
import { Away } from './link-to.tsx'

const HEX = /0x[0-9a-f]{40}/
const ADDRESS = /^0x[0-9a-f]{40}$/

/** Fields link to a public block explorer, unless the event comes from a local chain. */
export function EventDetails({ record }: { record: EventRecord }) {
  const isOfLocalChain = isLocal(record, useContext(LocalContracts))
  const { url, name } = CHAINS[record.network].explorer
  const elsewhere = (field: string, value: unknown): string | undefined => {
    if (isOfLocalChain) return undefined
    if (field === 'transactionHash') return `${url}/tx/${value}`
    if (field === 'blockNumber') return `${url}/block/${value}`
    return typeof value === 'string' && ADDRESS.test(value) ? `${url}/address/${value}` : undefined
  }
  return (
    <div class="record">
      <dl>
        {fieldsOf(record).map(([field, value]) => {
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
                {href && <Away href={href} name={name} isNamed />}
              </dd>
            </div>
          )
        })}
      </dl>
      <CopyButton text={JSON.stringify(record, null, 2)} what="record as JSON" isWide />
    </div>
  )
}

function fieldsOf(record: EventRecord): [name: string, value: unknown][] {
  if (!('tokenIds' in record)) return Object.entries(record)
  const { tokenIds, quantities, ...others } = record
  const pairs = itemsOf({ tokenIds, quantities }).map(({ tokenId, quantity }) => `#${tokenId} × ${quantity}`)
  return [...Object.entries(others), ['tokenIds × quantities', pairs]]
}

/** This field scrolls, because a batch may have thousands of values. */
const Values = ({ values }: { values: readonly string[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: so that arrow keys scroll it.
  <span class="whole values" tabIndex={0}>
    {values.join(', ') || 'none'}
  </span>
)
