import type { EventRecord } from '../../../client/records.ts'
import { ZERO_ADDRESS } from '../../../events/event-kinds.ts'
import type { Occurrence } from './occurrences-of.ts'

/** What a row shows of an occurrence: the moved tokens, and the parties of the move. */
export interface Description {
  move: 'transfer' | 'mint' | 'burn' | 'ownership'
  /** The former holder. Absent if the former holder is the zero address, or if the event has no sender. */
  from?: string
  /** The new holder. Absent if the new holder is the zero address. */
  to?: string
  /** The account that carried out the move. Absent if the account is `from` or `to`. */
  by?: string
  items: TokenItem[]
}

export interface TokenItem {
  tokenId: string
  quantity: string
}

/**
 * Describes an occurrence. If a mint has a transfer, describes the transfer, because the mint's own event says no more
 * about the move.
 */
export function describeOccurrence({ records }: Occurrence): Description {
  const [first] = records
  return describeRecord(records.find(record => 'operator' in record) ?? first)
}

/** Has a case for each kind and no default, so a new kind does not compile until the page can describe it. */
function describeRecord(record: EventRecord): Description {
  switch (record.event) {
    case 'Minted': {
      const { initialOwner: to, creator: by, tokenId, quantity } = record
      return { move: 'mint', ...between({ to, by }), items: [{ tokenId, quantity }] }
    }
    case 'MintedBatch':
      return { move: 'mint', ...between({ to: record.owner }), items: itemsOf(record) }
    case 'TransferSingle':
    case 'TransferBatch': {
      const { from, to, operator: by } = record
      return { move: moveOf(record), ...between({ from, to, by }), items: itemsOf(record) }
    }
    case 'OwnershipTransferred':
      return { move: 'ownership', ...between({ from: record.previousOwner, to: record.newOwner }), items: [] }
  }
}

interface Parties {
  from?: string
  to: string
  by?: string
}

/** A transfer from the zero address is a mint, and a transfer to the zero address is a burn. */
function moveOf({ from, to }: Parties): Description['move'] {
  if (from === to) return 'transfer'
  if (from === ZERO_ADDRESS) return 'mint'
  return to === ZERO_ADDRESS ? 'burn' : 'transfer'
}

const between = ({ from, to, by }: Parties): Pick<Description, 'from' | 'to' | 'by'> => ({
  ...(from !== undefined && from !== ZERO_ADDRESS && { from }),
  ...(to !== ZERO_ADDRESS && { to }),
  ...(by !== undefined && by !== from && by !== to && { by }),
})

type Batch = Readonly<Record<'tokenIds' | 'quantities', readonly string[]>>

export const itemsOf = ({ tokenIds, quantities }: Batch): TokenItem[] =>
  tokenIds.map((tokenId, index) => ({ tokenId, quantity: quantities[index] ?? '' }))

export type Sign = '+' | '−' | ''

/**
 * The sign of a quantity. With a wallet, it shows the wallet's gain or loss of tokens, and otherwise that of the
 * token's supply.
 */
export function signOf({ move, from, to }: Description, wallet: string | undefined): Sign {
  if (wallet === undefined) return move === 'mint' ? '+' : move === 'burn' ? '−' : ''
  // A description leaves the zero address out.
  const own = wallet === ZERO_ADDRESS ? undefined : wallet.toLowerCase()
  if ((from === own) === (to === own)) return ''
  return to === own ? '+' : '−'
}
