import type { EventRecord } from '../../client/records.ts'
import { KIND_LABELS } from './event-kinds.ts'

/** An event in the terms of the list: something goes from somebody to somebody. */
export interface EventDescription {
  label: string
  /** Absent where it came from nobody. */
  from?: string
  /** Absent where nobody has it any more. */
  to?: string
  /** Who did it, if neither of them. */
  by?: string
  items: TokenItem[]
}

export interface TokenItem {
  tokenId: string
  quantity: string
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** A transfer from the zero address is a mint, and one to it a burn (ERC-1155, "Safe Transfer Rules"). */
export function describeEvent(record: EventRecord): EventDescription {
  const label = KIND_LABELS[record.event]
  switch (record.event) {
    case 'Minted': {
      const { creator, initialOwner, tokenId, quantity } = record
      return { label, ...between({ to: initialOwner, by: creator }), items: [{ tokenId, quantity }] }
    }
    case 'MintedBatch':
      return { label, ...between({ to: record.owner }), items: itemsOf(record) }
    case 'OwnershipTransferred':
      return { label, ...between({ from: record.previousOwner, to: record.newOwner }), items: [] }
    case 'TransferSingle':
    case 'TransferBatch': {
      const { from, to, operator } = record
      const batch = record.event === 'TransferBatch' ? 'Batch ' : ''
      const isMint = from === ZERO_ADDRESS && to !== ZERO_ADDRESS
      const isBurn = to === ZERO_ADDRESS && from !== ZERO_ADDRESS
      const named = isMint ? `${batch}mint` : isBurn ? `${batch}burn` : label
      return { label: capital(named), ...between({ from, to, by: operator }), items: itemsOf(record) }
    }
  }
}

function between({
  from,
  to,
  by,
}: {
  from?: string
  to: string
  by?: string
}): Omit<EventDescription, 'label' | 'items'> {
  return {
    ...(from !== undefined && from !== ZERO_ADDRESS && { from }),
    ...(to !== ZERO_ADDRESS && { to }),
    ...(by !== undefined && by !== from && by !== to && { by }),
  }
}

const itemsOf = ({ tokenIds, quantities }: { tokenIds: string[]; quantities: string[] }): TokenItem[] =>
  tokenIds.map((tokenId, index) => ({ tokenId, quantity: quantities[index] ?? '' }))

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
