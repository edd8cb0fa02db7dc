import { useState } from 'preact/hooks'
import type { EventRecord } from '../../client/records.ts'
import { CHAINS } from '../../events/networks.ts'
import type { Question } from '../question/question.ts'
import { describeEvent, type EventDescription } from '../show/describe-event.ts'
import { formatDate, formatTime, relativeTime } from '../show/times.ts'
import { EventDetails } from './event-details.tsx'
import { Away, Hex } from './link-to.tsx'
import { TokenItems } from './token-items.tsx'

interface EventRowOptions {
  record: EventRecord
  question: Question
  nowMs: number
}

/** One event in short, and all of it on request. */
export function EventRow({ record, question, nowMs }: EventRowOptions) {
  const [isOpen, setOpen] = useState(false)
  const { id, event, createdAt, network, address, transactionHash } = record
  const described = describeEvent(record)
  const { label, explorer } = CHAINS[network]
  const detailsId = `details-${id}`
  return (
    <tbody role="rowgroup">
      <tr role="row" data-id={id}>
        <td role="cell" class="kind">
          <span class="badge" data-kind={event}>
            {described.label}
          </span>
        </td>
        <td role="cell" class="when">
          <time dateTime={createdAt} title={new Date(createdAt).toString()}>
            {formatDate(createdAt)} <span class="clock">{formatTime(createdAt)}</span>
          </time>
          <span class="quiet">{relativeTime(createdAt, nowMs)}</span>
        </td>
        <td role="cell" class="parties">
          <Parties described={described} wallet={question.wallet} />
        </td>
        <td role="cell" class="token">
          <TokenItems address={address} items={described.items} />
        </td>
        <td role="cell" class="chain">
          <span class="network">
            {label}
            <Away href={`${explorer.url}/tx/${transactionHash}`}>{explorer.name}</Away>
          </span>
          <Hex
            hex={transactionHash}
            what="transaction hash"
            to={{ parameters: { transactionHash: [transactionHash] } }}
          />
        </td>
        <td role="cell" class="open">
          <button
            type="button"
            class="button small"
            aria-expanded={isOpen}
            aria-controls={detailsId}
            onClick={() => setOpen(!isOpen)}
          >
            Details
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr role="row" class="details" id={detailsId}>
          <td role="cell" colSpan={6}>
            <EventDetails record={record} />
          </td>
        </tr>
      )}
    </tbody>
  )
}

interface PartiesOptions {
  described: EventDescription
  wallet: string | undefined
}

const Parties = ({ described: { from, to, by }, wallet }: PartiesOptions) => (
  <dl>
    <Party part="from" address={from} wallet={wallet} />
    <Party part="to" address={to} wallet={wallet} />
    {by !== undefined && <Party part="by" address={by} wallet={wallet} />}
  </dl>
)

interface PartyOptions {
  part: string
  address: string | undefined
  wallet: string | undefined
}

/** The wallet that is looked at stands out, and leads nowhere. */
function Party({ part, address, wallet }: PartyOptions) {
  const isOwn = address?.toLowerCase() === wallet?.toLowerCase()
  return (
    <>
      <dt>{part}</dt>
      <dd class={isOwn ? 'own' : ''}>
        {address === undefined ? (
          <span class="quiet">zero address</span>
        ) : (
          <Hex hex={address} what="address" to={isOwn ? undefined : { wallet: address }} />
        )}
      </dd>
    </>
  )
}
