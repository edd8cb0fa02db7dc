import type { Description } from './describe-occurrence.ts'
import { ZERO_ADDRESS } from './zero-address.ts'

/** The relation of an occurrence to the page's wallet. */
export type Relation = 'received' | 'sent' | 'minted' | 'burned' | 'to itself' | 'operated'

/** The relations in display order. */
export const RELATIONS: readonly Relation[] = [
  'received',
  'sent',
  'minted',
  'burned',
  'to itself',
  'operated',
]

/**
 * The new owner of a contract has "received", and the former owner has "sent". A wallet that only carried out the move
 * has "operated".
 */
export function relationOf({ move, from, to }: Description, wallet: string): Relation {
  // A description leaves the zero address out.
  const own = wallet === ZERO_ADDRESS ? undefined : wallet.toLowerCase()
  if (from === own && to === own) return 'to itself'
  if (to === own) return move === 'mint' ? 'minted' : 'received'
  if (from === own) return move === 'burn' ? 'burned' : 'sent'
  return 'operated'
}

export type Sign = '+' | '−' | ''

const WALLET_SIGNS: Readonly<Record<Relation, Sign>> = {
  received: '+',
  minted: '+',
  sent: '−',
  burned: '−',
  'to itself': '',
  operated: '',
}

/**
 * The sign of a quantity. With a wallet, the sign shows the wallet's gain or loss of tokens. Without a wallet, the sign
 * shows the gain or loss of the token's supply.
 */
export function signOf({ move }: Description, relation: Relation | undefined): Sign {
  if (relation) return WALLET_SIGNS[relation]
  if (move === 'mint') return '+'
  return move === 'burn' ? '−' : ''
}
