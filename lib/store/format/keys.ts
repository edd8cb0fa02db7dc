import { KINDS } from '../../events/event-kinds.ts'
import { type AllList, type EventList, partOf, type TokenList, type UserList } from '../../events/lists.ts'
import { CHAINS, type Network } from '../../events/networks.ts'

/**
 * Names and keys are readable in the AWS console, but short, because they are stored with each item, in the table and
 * again in each index that contains the item.
 */

/** `LIST_KEY` is the table's partition key. `PLACE_KEY` is the sort key of the table and of each index. */
export const LIST_KEY = 'l'
export const PLACE_KEY = 'p'
/** The bytes of a record, or of a chunk of its long field. */
export const DATA = 'd'

export const INDEXES = {
  user: { name: 'byUser', key: 'u' },
  token: { name: 'byToken', key: 't' },
  transaction: { name: 'byTransaction', key: 'x' },
  block: { name: 'byBlock', key: 'b' },
} as const

/** All networks' checkpoints are in this partition, so that one small Query reads them. */
export const CHECKPOINTS_LIST = 'checkpoints'

/** The partition of the log of revisions for all networks. The stored name predates the term "revision". */
export const REVISIONS_LIST = 'rewinds'

export const SUBSCRIPTIONS_LIST = 'subscriptions'

export const blockTimesList = (network: Network): string => `times@${CHAINS[network].code}`

/** Lists of transactions and blocks have no items of their own, because indexes on the items of `all` provide them. */
export type WrittenList = UserList | TokenList | AllList

/** The path omits the network: `u1e00…#from`, `t6541…#TS`, `all`, or `t6541…#77` for the token id 77. */
export function pathOf(list: WrittenList): string {
  const owner = list.of === 'all' ? 'all' : `${list.of.charAt(0)}${list.address.slice('0x'.length)}`
  const part = list.event ? KINDS[list.event].code : partOf(list)
  return part === undefined ? owner : `${owner}#${part}`
}

export const listKey = (list: WrittenList, network: Network): string =>
  `${pathOf(list)}@${CHAINS[network].code}`

/** Without `indexName`, the partition is in the table itself. */
export interface ListPartition {
  indexName?: string
  keyName: string
  key: string | number
}

/** Throws for `all` without a network, because no partition contains the events of all networks. */
export function partitionOf(list: EventList, network: Network | undefined): ListPartition {
  switch (list.of) {
    case 'transaction':
      return { indexName: INDEXES.transaction.name, keyName: INDEXES.transaction.key, key: list.hash }
    case 'block':
      return { indexName: INDEXES.block.name, keyName: INDEXES.block.key, key: list.blockNumber }
    default:
      if (network) return { keyName: LIST_KEY, key: listKey(list, network) }
      if (list.of === 'all') throw new TypeError('The list of all events must be read for one network')
      return { indexName: INDEXES[list.of].name, keyName: INDEXES[list.of].key, key: pathOf(list) }
  }
}

/** The list whose items contain the events of `list`. */
export const writtenList = (list: EventList): WrittenList =>
  list.of === 'transaction' || list.of === 'block' ? { of: 'all' } : list
