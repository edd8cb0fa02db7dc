import { type Description, describeOccurrence } from '../occurrence/describe-occurrence.ts'
import type { Occurrence } from '../occurrence/occurrences-of.ts'
import { shortHex, shortNumber } from '../show/short-texts.ts'
import { LinkTo } from './link-to.tsx'

/** A placeholder that is as wide as any shortened address or hash. */
const HEX = `0x${'0'.repeat(40)}`
const ANY: Description = { move: 'transfer', to: HEX, items: [{ tokenId: '1000…00000', quantity: '1' }] }

/**
 * The examples come from an event with a token id, if possible. Until events arrive, invisible links reserve the space,
 * so nothing below moves.
 */
export function Examples({ occurrences }: { occurrences: readonly Occurrence[] }) {
  const found = occurrences.find(each => describeOccurrence(each).items.length > 0) ?? occurrences[0]
  const { address, transactionHash } = found?.records[0] ?? { address: HEX, transactionHash: HEX }
  const { from, to, items } = found ? describeOccurrence(found) : ANY
  const wallet = to ?? from ?? address
  const [token] = items
  return (
    <div class="start">
      <p>
        This service keeps mints, transfers and changes of owner that ERC-1155 contracts have announced, so
        you can look up what happened on chain to a wallet or a token, or in a transaction.
      </p>
      <p class={`examples quiet ${found ? '' : 'room'}`}>
        For instance <LinkTo wallet={wallet}>What happened to wallet {shortHex(wallet)}?</LinkTo>
        <LinkTo wallet={wallet} parameters={{ to: [wallet] }}>
          What did it receive?
        </LinkTo>
        <LinkTo wallet={wallet} parameters={{ address: [address] }}>
          What did it do at contract {shortHex(address)}?
        </LinkTo>
        {token && (
          <LinkTo parameters={{ address: [address], tokenId: [token.tokenId], createdAt: ['asc'] }}>
            What is the history of this contract’s token #{shortNumber(token.tokenId)}?
          </LinkTo>
        )}
        <LinkTo parameters={{ transactionHash: [transactionHash] }}>
          What did transaction {shortHex(transactionHash)} do?
        </LinkTo>
        <a href="./?view=status">How current is all this?</a>
      </p>
    </div>
  )
}
