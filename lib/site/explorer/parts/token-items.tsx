import { useState } from 'preact/hooks'
import type { TokenItem } from '../occurrence/describe-occurrence.ts'
import type { Sign } from '../occurrence/relation-of.ts'
import { groupDigits, shortNumber } from '../show/short-texts.ts'
import { Hex, LinkTo } from './link-to.tsx'

const SHOWN_AT_FIRST = 2
/**
 * The most digits of a number that is shown in full, with separators. Longer numbers are shortened, because nobody
 * calculates with them.
 */
const LONGEST_GROUPED = 12

interface TokenItemsOptions {
  /** The contract's address. */
  address: string
  items: readonly TokenItem[]
  sign: Sign
  /** What the sign means, such as "minted". Undefined if the rest of the row already says so. */
  meaning?: string | undefined
}

/**
 * The contract, and the moved ids with their quantities. If a batch is long, only its first ids are shown until the
 * reader unfolds the rest.
 */
export function TokenItems({ address, items, sign, meaning }: TokenItemsOptions) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? items : items.slice(0, SHOWN_AT_FIRST)
  const hidden = items.length - shown.length
  return (
    <>
      <ul class="items">
        {shown.map((item, index) => (
          // The key is the index, because a batch may contain an id more than once.
          <li key={index}>
            <Quantity quantity={item.quantity} sign={sign} />
            <LinkTo
              parameters={{ address: [address], tokenId: [item.tokenId] }}
              title={`Token id ${item.tokenId}`}
            >
              #{shortNumber(item.tokenId)}
            </LinkTo>{' '}
            {index === 0 && meaning && <span class="quiet">{meaning}</span>}
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" class="button small" onClick={() => setWhole(true)}>
          +{hidden} more
        </button>
      )}
      <div>
        <Hex hex={address} what="contract" to={{ parameters: { address: [address] } }} />
      </div>
    </>
  )
}

const SIGN_CLASSES: Readonly<Record<Sign, string>> = { '+': 'gain', '−': 'loss', '': '' }

/** A quantity with its sign, such as "+5" or "−5". */
const Quantity = ({ quantity, sign }: { quantity: string; sign: Sign }) => (
  <span class={`quantity ${SIGN_CLASSES[sign]}`} title={quantity}>
    {sign}
    {shortQuantity(quantity)} ×{' '}
  </span>
)

export const shortQuantity = (quantity: string): string =>
  quantity.length > LONGEST_GROUPED ? shortNumber(quantity) : groupDigits(quantity)
