import type { VNode } from 'preact'
import {
  type Description,
  describeOccurrence,
  signOf,
  type TokenItem,
} from '../occurrence/describe-occurrence.ts'
import type { Occurrence } from '../occurrence/occurrences-of.ts'
import { type Question, tokenIdOf } from '../question/question.ts'
import { shortHex } from '../show/short-texts.ts'
import { EventUnfolding } from './event-unfolding.tsx'
import { LinkTo } from './link-to.tsx'
import { shortQuantity, TokenItems, TokenLink } from './token-items.tsx'

export function EventSentence({ occurrence, question }: { occurrence: Occurrence; question: Question }) {
  const described = describeOccurrence(occurrence)
  const [{ address }] = occurrence.records
  const places = occurrence.records.map(({ logIndex }) => logIndex)
  return (
    <EventUnfolding occurrence={occurrence} columns={3}>
      <td role="cell" class="place">
        {places.toSorted((one, other) => one - other).join(', ')}
      </td>
      <td role="cell" class="sentence">
        <p>
          <Sentence address={address} {...described} />
        </p>
        {described.items.length > 1 && (
          <details>
            <summary>All ids and quantities</summary>
            <TokenItems
              address={address}
              described={described}
              sign={signOf(described, undefined)}
              tokenId={tokenIdOf(question)}
              isUnfolded
            />
          </details>
        )}
      </td>
    </EventUnfolding>
  )
}

/** The return type makes the compiler check that every move has a sentence. */
function Sentence({ address, move, from, to, by, items }: Description & { address: string }): VNode {
  const contract = <LinkTo parameters={{ address: [address] }}>{shortHex(address)}</LinkTo>
  const [giver, receiver] = [<Wallet key="from" address={from} />, <Wallet key="to" address={to} />]
  const tokens = (
    <>
      <Tokens address={address} items={items} /> of {contract}
    </>
  )
  const end = (
    <>
      {by && '; this was done by '}
      {by && <Wallet address={by} />}.
    </>
  )
  switch (move) {
    case 'mint':
      return (
        <>
          {receiver} received {tokens}, newly <b>minted</b>
          {end}
        </>
      )
    case 'burn':
      return (
        <>
          {giver} <b>burned</b> {tokens}
          {end}
        </>
      )
    case 'transfer':
      return (
        <>
          {giver} <b>sent</b> {tokens} to {receiver}
          {end}
        </>
      )
    case 'ownership':
      if (to === undefined)
        return (
          <>
            {giver} <b>gave up</b> the ownership of {contract}.
          </>
        )
      return from === undefined ? (
        <>
          {receiver} <b>became the owner</b> of {contract}.
        </>
      ) : (
        <>
          {giver} <b>handed</b> the ownership of {contract} <b>over</b> to {receiver}.
        </>
      )
  }
}

const Wallet = ({ address }: { address: string | undefined }) =>
  address === undefined ? (
    <>the zero address</>
  ) : (
    <LinkTo wallet={address} title={address}>
      {shortHex(address)}
    </LinkTo>
  )

function Tokens({ address, items }: { address: string; items: readonly TokenItem[] }) {
  const [item] = items
  if (!item) return <>no tokens</>
  if (items.length > 1) {
    const sum = items.reduce((total, { quantity }) => total + BigInt(quantity), 0n)
    return <>{`${shortQuantity(String(sum))} tokens with ${items.length} ids`}</>
  }
  return (
    <>
      {shortQuantity(item.quantity)} × <TokenLink address={address} tokenId={item.tokenId} />
    </>
  )
}
