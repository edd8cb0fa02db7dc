import { KINDS } from '../events/event-kinds.ts'
import { type AllList, type EventList, partOf, type TokenList, type UserList } from '../events/lists.ts'
import { CHAINS, type Network } from '../events/networks.ts'

/*
 * Names and keys are stored with every item, and the keys of indexes twice: so they are short, and yet a person
 * can read them in the AWS console.
 */

/** The table's own partition key, and the sort key of the table and of each index. */
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

/** The partition that holds the checkpoints of all networks, so that one small Query reads them all. */
export const CHECKPOINTS_LIST = 'checkpoints'

/** The partition of the log of rewinds, which all networks share. */
export const REWINDS_LIST = 'rewinds'

/** The partition of a network's blocks whose time is noted. */
export const blockTimesList = (network: Network): string => `times@${CHAINS[network].code}`

/** A list that events have items in. */
export type WrittenList = UserList | TokenList | AllList

/** The name of a list without its network, as keys have it: `u1e00…#from`, `t6541…#TS`, `t6541…#77` for an id, `all`. */
export function pathOf(list: WrittenList): string {
  const owner = list.of === 'all' ? 'all' : `${list.of.charAt(0)}${list.address.slice('0x'.length)}`
  const part = list.event ? KINDS[list.event].code : partOf(list)
  return part === undefined ? owner : `${owner}#${part}`
}

/** The partition of the table that holds a network's part of a list. */
export const listKey = (list: WrittenList, network: Network): string =>
  `${pathOf(list)}@${CHAINS[network].code}`

/** Where a list is read: the table, or an index of it, and the partition there. */
export interface ListPartition {
  indexName?: string
  keyName: string
  key: string | number
}

/**
 * The partition that holds a list. Within a network it is the table's own; over all networks, an
 * index's. Throws for a list of `all` without a network, which no partition holds.
 */
export function partitionOf(list: EventList, network: Network | undefined): ListPartition {
  switch (list.of) {
    case 'transaction':
      return { indexName: INDEXES.transaction.name, keyName: INDEXES.transaction.key, key: list.hash }
    case 'block':
      return { indexName: INDEXES.block.name, keyName: INDEXES.block.key, key: list.blockNumber }
    default:
      if (network) return { keyName: LIST_KEY, key: listKey(list, network) }
      if (list.of === 'all') throw new TypeError('The list of all events is kept by network only')
      return { indexName: INDEXES[list.of].name, keyName: INDEXES[list.of].key, key: pathOf(list) }
  }
}

/** The list that the items of a list are written for: transactions and blocks are found through those of `all`. */
export const writtenList = (list: EventList): WrittenList =>
  list.of === 'transaction' || list.of === 'block' ? { of: 'all' } : list
