import type { EventRecord } from '../../client/records.ts'
import { describeEvent } from '../show/describe-event.ts'
import { shortHex, shortNumber } from '../show/short-texts.ts'
import { LinkTo } from './link-to.tsx'

/** For whoever has nothing at hand to look up: one of each sort, from an event that there is, and that has an id if any has. */
export function Examples({ records }: { records: readonly EventRecord[] }) {
  const record = records.find(each => describeEvent(each).items.length > 0) ?? records[0]
  if (!record) return <p class="examples" />
  const { address, transactionHash } = record
  const { from, to, items } = describeEvent(record)
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
