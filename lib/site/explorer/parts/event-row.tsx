import { Fragment } from 'preact'
import { useContext } from 'preact/hooks'
import { KIND_LABELS } from '../../../events/event-kinds.ts'
import { CHAINS } from '../../../events/networks.ts'
import { type Description, describeOccurrence, signOf } from '../occurrence/describe-occurrence.ts'
import type { Occurrence } from '../occurrence/occurrences-of.ts'
import { type Question, tokenIdOf } from '../question/question.ts'
import { relationFilters, relationsOf } from '../question/relation-filters.ts'
import { formatDate, formatTime, relativeTime } from '../show/times.ts'
import { isLocal, LocalContracts } from '../state/local-contracts.ts'
import { EventUnfolding } from './event-unfolding.tsx'
import { Away, Hex } from './link-to.tsx'
import { TokenItems } from './token-items.tsx'

interface EventRowOptions {
  occurrence: Occurrence
  question: Question
  nowMs: number
}

export function EventRow({ occurrence, question, nowMs }: EventRowOptions) {
  const isOfLocalChain = isLocal(occurrence.records[0], useContext(LocalContracts))
  const { records } = occurrence
  const { wallet } = question
  const [{ createdAt, network, address, transactionHash }] = records
  const described = describeOccurrence(occurrence)
  const { label, explorer } = CHAINS[network]
  return (
    <EventUnfolding occurrence={occurrence} columns={6}>
      <td role="cell" class="kind">
        <Badges records={records} question={question} />
      </td>
      <td role="cell" class="when">
        <time dateTime={createdAt} title={new Date(createdAt).toString()}>
          {formatDate(createdAt)} <span class="clock">{formatTime(createdAt)}</span>
        </time>
        <span class="quiet">{relativeTime(createdAt, nowMs)}</span>
      </td>
      <td role="cell" class="parties">
        <Parties {...described} wallet={wallet} />
      </td>
      <td role="cell" class="token">
        <TokenItems
          address={address}
          described={described}
          sign={signOf(described, wallet)}
          tokenId={tokenIdOf(question)}
          meaning={wallet === undefined ? SUPPLY[described.move] : undefined}
        />
      </td>
      <td role="cell" class="chain">
        <span class="network">
          {label}
          {isOfLocalChain && (
            <span
              class="tag"
              title={`This event was created on a local chain, and never happened on ${label}.`}
            >
              local chain
            </span>
          )}
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

/** Without a relation to the wallet, the badges are the kinds of the events. */
function Badges({ records, question }: { records: Occurrence['records']; question: Question }) {
  const filters = question.wallet === undefined ? [] : relationFilters(question)
  const relations = records.flatMap(record => relationsOf(record, filters))
  const kinds = records.map(({ event }) => event)
  return (
    <>
      {relations.map(relation => (
        <span key={relation} class="badge" data-relation={relation}>
          {relation}
        </span>
      ))}
      {relations.length > 0 && <span class="quiet">{kinds.map(kind => KIND_LABELS[kind]).join(', ')}</span>}
      {relations.length === 0 &&
        kinds.map(kind => (
          <span key={kind} class="badge" data-kind={kind}>
            {KIND_LABELS[kind]}
          </span>
        ))}
    </>
  )
}

/** If `by` is the wallet, it is omitted, because the row then has the badge "Operated". */
function Parties({ from, to, by, wallet }: Description & { wallet: string | undefined }) {
  const own = wallet?.toLowerCase()
  const parties = [['from', from], ['to', to], ...(by === undefined || by === own ? [] : [['by', by]])]
  return (
    <dl>
      {parties.map(([part, address]) => (
        <Fragment key={part}>
          <dt>{part}</dt>
          <dd class={address !== undefined && address === own ? 'own' : ''}>
            {address === undefined ? (
              <span class="quiet">zero address</span>
            ) : (
              <Hex hex={address} what="address" to={address === own ? undefined : { wallet: address }} />
            )}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}
