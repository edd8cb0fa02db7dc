import { useContext } from 'preact/hooks'
import { CHAINS } from '../../../events/networks.ts'
import { type Description, describeOccurrence } from '../occurrence/describe-occurrence.ts'
import { kindLabel } from '../occurrence/kind-labels.ts'
import type { Occurrence } from '../occurrence/occurrences-of.ts'
import { type Relation, relationOf, signOf } from '../occurrence/relation-of.ts'
import { formatDate, formatTime, relativeTime } from '../show/times.ts'
import { isLocal, LocalContracts } from '../state/local-contracts.ts'
import { EventUnfolding } from './event-unfolding.tsx'
import { Away, Hex } from './link-to.tsx'
import { TokenItems } from './token-items.tsx'

interface EventRowOptions {
  occurrence: Occurrence
  wallet: string | undefined
  nowMs: number
}

/** One occurrence as a table row. A button shows all records of the occurrence. */
export function EventRow({ occurrence, wallet, nowMs }: EventRowOptions) {
  const isOfLocalChain = isLocal(occurrence.records[0], useContext(LocalContracts))
  const { kind, records } = occurrence
  const [{ createdAt, network, address, transactionHash }] = records
  const described = describeOccurrence(occurrence)
  const relation = wallet === undefined ? undefined : relationOf(described, wallet)
  const { label, explorer } = CHAINS[network]
  return (
    <EventUnfolding occurrence={occurrence} columns={6}>
      <td role="cell" class="kind">
        {relation ? <RelationBadge relation={relation} kind={kindLabel(kind)} /> : <KindBadge kind={kind} />}
      </td>
      <td role="cell" class="when">
        <time dateTime={createdAt} title={new Date(createdAt).toString()}>
          {formatDate(createdAt)} <span class="clock">{formatTime(createdAt)}</span>
        </time>
        <span class="quiet">{relativeTime(createdAt, nowMs)}</span>
      </td>
      <td role="cell" class="parties">
        <Parties described={described} wallet={wallet} />
      </td>
      <td role="cell" class="token">
        <TokenItems
          address={address}
          items={described.items}
          sign={signOf(described, relation)}
          meaning={relation ? undefined : SUPPLY[described.move]}
        />
      </td>
      <td role="cell" class="chain">
        <span class="network">
          {label}
          {isOfLocalChain && <LocalTag network={label} />}
        </span>
        <span class="hex">
          <Hex
            hex={transactionHash}
            what="transaction hash"
            to={{ parameters: { transactionHash: [transactionHash] } }}
          />
          {!isOfLocalChain && <Away href={`${explorer.url}/tx/${transactionHash}`} name={explorer.name} />}
        </span>
      </td>
    </EventUnfolding>
  )
}

/** What the sign of a quantity means if the question has no wallet. */
const SUPPLY: Readonly<Partial<Record<Description['move'], string>>> = { mint: 'minted', burn: 'burned' }

const KindBadge = ({ kind }: { kind: Occurrence['kind'] }) => (
  <span class="badge" data-kind={kind}>
    {kindLabel(kind)}
  </span>
)

const RelationBadge = ({ relation, kind }: { relation: Relation; kind: string }) => (
  <>
    <span class="badge" data-relation={relation}>
      {capital(relation)}
    </span>
    <span class="quiet">{kind}</span>
  </>
)

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The label of events that were created on a local chain. */
const LocalTag = ({ network }: { network: string }) => (
  <span class="tag" title={`Created on a local chain. It never happened on ${network}.`}>
    local chain
  </span>
)

interface PartiesOptions {
  described: Description
  wallet: string | undefined
}

/** The parties of a move. `by` is left out if it is the page's wallet, because the badge then says "operated". */
const Parties = ({ described: { from, to, by }, wallet }: PartiesOptions) => (
  <dl>
    <Party part="from" address={from} wallet={wallet} />
    <Party part="to" address={to} wallet={wallet} />
    {by !== undefined && by !== wallet?.toLowerCase() && <Party part="by" address={by} wallet={wallet} />}
  </dl>
)

interface PartyOptions {
  part: string
  address: string | undefined
  wallet: string | undefined
}

/** One party. The page's own wallet is highlighted, and is not a link. */
function Party({ part, address, wallet }: PartyOptions) {
  const isOwn = address !== undefined && address === wallet?.toLowerCase()
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
