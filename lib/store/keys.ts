import { type AllList, type EventList, listPath, type TokenList, type UserList } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'

/** The table's own partition key, and that of each index; `place` is the sort key of all of them. */
export const LIST_KEY = 'list'
export const PLACE_KEY = 'place'

export const INDEXES = {
  user: { name: 'byUser', key: 'userList' },
  token: { name: 'byToken', key: 'tokenList' },
  transaction: { name: 'byTransaction', key: 'transactionKey' },
  block: { name: 'byBlock', key: 'blockKey' },
} as const

/** The partition that holds the checkpoints of all networks, so that one small Query reads them all. */
export const CHECKPOINTS_LIST = 'checkpoints'

/** The partition of the table that holds a network's part of a list. */
export const listKey = (list: UserList | TokenList | AllList, network: Network): string =>
  `${listPath(list)}${suffixOf(network)}`

/** The path in such a partition's key; undefined where the key is of another network, or of no list. */
export function pathInKey(key: string, network: Network): string | undefined {
  const suffix = suffixOf(network)
  return key.endsWith(suffix) ? key.slice(0, -suffix.length) : undefined
}

const suffixOf = (network: Network) => `@${network}`

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
      return { indexName: INDEXES[list.of].name, keyName: INDEXES[list.of].key, key: listPath(list) }
  }
}
