import type { ComponentChildren } from 'preact'
import { describeOccurrence, type TokenItem } from '../occurrence/describe-occurrence.ts'
import type { Occurrence } from '../occurrence/occurrences-of.ts'
import { signOf } from '../occurrence/relation-of.ts'
import { shortHex, shortNumber } from '../show/short-texts.ts'
import { EventUnfolding } from './event-unfolding.tsx'
import { LinkTo } from './link-to.tsx'
import { shortQuantity, TokenItems } from './token-items.tsx'

/** One occurrence of a transaction, described in a sentence. A button shows all records of the occurrence. */
export function EventSentence({ occurrence }: { occurrence: Occurrence }) {
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
          <Sentence occurrence={occurrence} />
        </p>
        {described.items.length > 1 && (
          <details>
            <summary>All ids and quantities</summary>
            <TokenItems address={address} items={described.items} sign={signOf(described, undefined)} />
          </details>
        )}
      </td>
    </EventUnfolding>
  )
}

function Sentence({ occurrence }: { occurrence: Occurrence }) {
  const [{ address }] = occurrence.records
  const { move, from, to, by, items } = describeOccurrence(occurrence)
  const contract = <LinkTo parameters={{ address: [address] }}>{shortHex(address)}</LinkTo>
  const tokens = (
    <>
      <Tokens address={address} items={items} /> of {contract}
    </>
  )
  const author = by && (
    <>
      , carried out by <Wallet address={by} />
    </>
  )
  switch (move) {
    case 'mint':
      return (
        <Said>
          <Wallet address={to} /> received {tokens}, newly <b>minted</b>
          {author}
        </Said>
      )
    case 'burn':
      return (
        <Said>
          <Wallet address={from} /> <b>burned</b> {tokens}
          {author}
        </Said>
      )
    case 'transfer':
      return (
        <Said>
          <Wallet address={from} /> <b>sent</b> {tokens} to <Wallet address={to} />
          {author}
        </Said>
      )
    case 'ownership':
      return (
        <Said>
          {to === undefined && (
            <>
              <Wallet address={from} /> <b>gave up</b> the ownership of {contract}
            </>
          )}
          {to !== undefined && from === undefined && (
            <>
              <Wallet address={to} /> <b>became the owner</b> of {contract}
            </>
          )}
          {to !== undefined && from !== undefined && (
            <>
              <Wallet address={from} /> <b>handed</b> the ownership of {contract} <b>over</b> to{' '}
              <Wallet address={to} />
            </>
          )}
        </Said>
      )
  }
}

const Said = ({ children }: { children: ComponentChildren }) => <>{children}.</>

const Wallet = ({ address }: { address: string | undefined }) =>
  address === undefined ? (
    <>the zero address</>
  ) : (
    <LinkTo wallet={address} title={address}>
      {shortHex(address)}
    </LinkTo>
  )

/** The quantity and id of a single token, or the total quantity and the number of ids. */
function Tokens({ address, items }: { address: string; items: readonly TokenItem[] }) {
  const [item] = items
  if (!item) return <>no tokens</>
  if (items.length > 1) {
    const sum = items.reduce((total, { quantity }) => total + BigInt(quantity), 0n)
    return (
      <>
        {shortQuantity(String(sum))} tokens with {items.length} ids
      </>
    )
  }
  return (
    <>
      {shortQuantity(item.quantity)} ×{' '}
      <LinkTo parameters={{ address: [address], tokenId: [item.tokenId] }} title={`Token id ${item.tokenId}`}>
        #{shortNumber(item.tokenId)}
      </LinkTo>
    </>
  )
}
