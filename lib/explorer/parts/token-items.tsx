import { useState } from 'preact/hooks'
import type { TokenItem } from '../show/describe-event.ts'
import { groupDigits, shortNumber } from '../show/short-texts.ts'
import { Hex, LinkTo } from './link-to.tsx'

const SHOWN_AT_FIRST = 3
/** Longer ones are no numbers that anybody counts with. */
const LONGEST_GROUPED = 12

interface TokenItemsOptions {
  /** Of the contract. */
  address: string
  items: readonly TokenItem[]
}

/** The contract, and the ids that were moved, each with how many of it; of a long batch the first. */
export function TokenItems({ address, items }: TokenItemsOptions) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? items : items.slice(0, SHOWN_AT_FIRST)
  const hidden = items.length - shown.length
  return (
    <>
      <Hex hex={address} what="contract" to={{ parameters: { address: [address] } }} />
      <ul class="items">
        {shown.map((item, index) => (
          // An id may stand in a batch more than once.
          <Item key={index} address={address} item={item} />
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" class="button small" onClick={() => setWhole(true)}>
          +{hidden} more
        </button>
      )}
    </>
  )
}

const Item = ({ address, item: { tokenId, quantity } }: { address: string; item: TokenItem }) => (
  <li>
    <LinkTo parameters={{ address: [address], tokenId: [tokenId] }} title={`Token id ${tokenId}`}>
      #{shortNumber(tokenId)}
    </LinkTo>{' '}
    <span class="quantity" title={quantity}>
      × {quantity.length > LONGEST_GROUPED ? shortNumber(quantity) : groupDigits(quantity)}
    </span>
  </li>
)
