import type { EventRecord } from '../../../client/records.ts'
import { describeOccurrence } from '../occurrence/describe-occurrence.ts'
import { occurrencesOf } from '../occurrence/occurrences-of.ts'
import { shortHex, shortNumber } from '../show/short-texts.ts'
import { LinkTo } from './link-to.tsx'

/**
 * Links to a wallet, a contract, a token and a transaction as examples, all from one existing event. Prefers an event
 * with a token id.
 */
export function Examples({ records }: { records: readonly EventRecord[] }) {
  const occurrences = occurrencesOf(records)
  const occurrence = occurrences.find(each => describeOccurrence(each).items.length > 0) ?? occurrences[0]
  if (!occurrence) return <Room />
  const [{ address, transactionHash }] = occurrence.records
  const { from, to, items } = describeOccurrence(occurrence)
  const wallet = to ?? from
  const [token] = items
  return (
    <p class="examples quiet">
      For instance {wallet && <LinkTo wallet={wallet}>wallet {shortHex(wallet)}</LinkTo>}
      <LinkTo parameters={{ address: [address] }}>token contract {shortHex(address)}</LinkTo>
      {token && (
        <LinkTo parameters={{ address: [address], tokenId: [token.tokenId] }}>
          token {shortHex(address)} #{shortNumber(token.tokenId)}
        </LinkTo>
      )}
      <LinkTo parameters={{ transactionHash: [transactionHash] }}>
        transaction {shortHex(transactionHash)}
      </LinkTo>
    </p>
  )
}

/**
 * Invisible text, as long as the examples. The text reserves room, so that nothing below moves when the examples or an
 * error arrive.
 */
const Room = () => (
  <p class="examples quiet room" aria-hidden="true">
    For instance <span>wallet {SHORT_HEX}</span>
    <span>token contract {SHORT_HEX}</span>
    <span>token {SHORT_HEX} #1000…0000</span>
    <span>transaction {SHORT_HEX}</span>
  </p>
)

const SHORT_HEX = shortHex(`0x${'0'.repeat(40)}`)
