import type { EventRecord } from '../../../client/records.ts'
import { KIND_WORDS } from '../../../events/event-kinds.ts'
import { isMint, type Occurrence } from './occurrences-of.ts'
import { ZERO_ADDRESS } from './zero-address.ts'

/** What a row shows of an occurrence: the moved tokens, and the parties of the move. */
export interface Description {
  move: Move
  /** The former holder. Absent if the former holder is the zero address, or if the event has no sender. */
  from?: string
  /** The new holder. Absent if the new holder is the zero address. */
  to?: string
  /** The account that carried out the move. Absent if the account is `from` or `to`. */
  by?: string
  items: TokenItem[]
}

type Move = 'transfer' | 'mint' | 'burn' | 'ownership'

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
  return describeRecord(records.find(record => !isMint(record)) ?? first)
}

function describeRecord(record: EventRecord): Description {
  const { parties } = KIND_WORDS[record.event]
  const values = record as unknown as Readonly<Record<string, string>>
  const named = Object.fromEntries(
    Object.entries(parties).map(([party, field]) => [party, values[field]]),
  ) as unknown as Parties
  return { move: moveOf(record, named), ...between(named), items: itemsOf(record) }
}

/**
 * A transfer from the zero address is a mint, and a transfer to the zero address is a burn. A mint's own event has no
 * sender.
 */
function moveOf(record: EventRecord, { from = ZERO_ADDRESS, to }: Parties): Move {
  if (!('tokenId' in record || 'tokenIds' in record)) return 'ownership'
  if (from === to) return 'transfer'
  if (from === ZERO_ADDRESS) return 'mint'
  return to === ZERO_ADDRESS ? 'burn' : 'transfer'
}

interface Parties {
  from?: string
  to: string
  by?: string
}

const between = ({ from, to, by }: Parties): Omit<Description, 'move' | 'items'> => ({
  ...(from !== undefined && from !== ZERO_ADDRESS && { from }),
  ...(to !== ZERO_ADDRESS && { to }),
  ...(by !== undefined && by !== from && by !== to && { by }),
})

function itemsOf(record: EventRecord): TokenItem[] {
  if ('tokenId' in record) return [{ tokenId: record.tokenId, quantity: record.quantity }]
  if (!('tokenIds' in record)) return []
  return record.tokenIds.map((tokenId, index) => ({ tokenId, quantity: record.quantities[index] ?? '' }))
}
