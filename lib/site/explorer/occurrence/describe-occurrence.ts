import type { EventRecord } from '../../../client/records.ts'
import { ZERO_ADDRESS } from '../../../events/event-kinds.ts'
import type { Occurrence } from './occurrences-of.ts'

/** What a row shows of an occurrence: the tokens that moved, and the parties involved. */
export interface Description {
  move: 'transfer' | 'mint' | 'burn' | 'ownership'
  /** The former holder. Absent if it is the zero address, or if the event has no sender. */
  from?: string
  /** The new holder. Absent if it is the zero address. */
  to?: string
  /** The account that carried out the move. Absent if it is `from` or `to`, or if the event does not name it. */
  by?: string
  items: TokenItem[]
}

export interface TokenItem {
  tokenId: string
  quantity: string
}

/** For a mint and its transfer, describes the transfer, because the mint's own event adds nothing about the move. */
export function describeOccurrence({ records }: Occurrence): Description {
  const [first] = records
  return describeRecord(records.find(record => 'operator' in record) ?? first)
}

/** Handles every kind without a default case, so a new kind causes a compile error until it is described here. */
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

/** Shows whether the wallet gains or loses tokens or, without a wallet, whether the supply grows or shrinks. */
export function signOf({ move, from, to }: Description, wallet: string | undefined): Sign {
  if (wallet === undefined) return move === 'mint' ? '+' : move === 'burn' ? '−' : ''
  // In a description, undefined means the zero address.
  const own = wallet === ZERO_ADDRESS ? undefined : wallet.toLowerCase()
  if ((from === own) === (to === own)) return ''
  return to === own ? '+' : '−'
}
