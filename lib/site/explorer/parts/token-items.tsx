import { useState } from 'preact/hooks'
import type { Description, Sign, TokenItem } from '../occurrence/describe-occurrence.ts'
import { groupDigits, shortNumber } from '../show/short-texts.ts'
import { Hex, LinkTo } from './link-to.tsx'

const SHOWN_AT_FIRST = 2
/** A quantity with more digits is shortened, because nobody calculates with it. */
const LONGEST_GROUPED = 12

interface TokenItemsOptions {
  address: string
  described: Description
  sign: Sign
  /** The question's token id, which comes first and is marked. */
  tokenId: string | undefined
  /** What the sign means, such as "minted". Undefined if the rest of the row already says so. */
  meaning?: string | undefined
  isUnfolded?: boolean
}

export function TokenItems(options: TokenItemsOptions) {
  const { address, described, sign, tokenId, meaning, isUnfolded = false } = options
  const [isWhole, setWhole] = useState(isUnfolded)
  const isAsked = (item: TokenItem) => item.tokenId === tokenId
  const items = described.items.toSorted((one, other) => Number(isAsked(other)) - Number(isAsked(one)))
  const shown = isWhole ? items : items.slice(0, SHOWN_AT_FIRST)
  const hidden = items.length - shown.length
  return (
    <>
      <ul class="items">
        {shown.map((item, index) => (
          // The key is the index, because a batch may contain the same id more than once.
          <li key={index} class={isAsked(item) ? 'asked' : ''}>
            <span class={`quantity ${SIGN_CLASSES[sign]}`} title={item.quantity}>
              {sign}
              {shortQuantity(item.quantity)} ×{' '}
            </span>
            <TokenLink address={address} tokenId={item.tokenId} />{' '}
            {index === 0 && meaning && <span class="quiet">{meaning}</span>}
          </li>
        ))}
      </ul>
      {items.length === 0 && described.move !== 'ownership' && <span class="quiet">no tokens</span>}
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

export const TokenLink = ({ address, tokenId }: { address: string; tokenId: string }) => (
  <LinkTo parameters={{ address: [address], tokenId: [tokenId] }} title={`Token id ${tokenId}`}>
    #{shortNumber(tokenId)}
  </LinkTo>
)

const SIGN_CLASSES: Readonly<Record<Sign, string>> = { '+': 'gain', '−': 'loss', '': '' }

export const shortQuantity = (quantity: string): string =>
  quantity.length > LONGEST_GROUPED ? shortNumber(quantity) : groupDigits(quantity)
