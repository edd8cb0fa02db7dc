import type { ChangesQuery } from './changes.ts'
import type { EventKind, EventRecord, Network, Role } from './records.ts'

type Direction = 'asc' | 'desc'

/** One value, or several of which an event must have one. */
type OneOrMore<Value> = Value | readonly Value[] | undefined

/** A moment: as text with its zone, or a date alone, or in Unix seconds. */
type Time = Date | string | number | undefined

/** What both kinds of query can ask; everything given must hold. */
interface CommonQuery<Kind extends EventKind> {
  event?: OneOrMore<Kind>
  network?: OneOrMore<Network>
  /** Only events whose `createdAt` is this or later. */
  fromTime?: Time
  /** Only events whose `createdAt` is this or earlier. */
  toTime?: Time
  /** Only events of blocks with this number or a higher one. */
  fromBlock?: number | undefined
  /** Only events of blocks with this number or a lower one. */
  toBlock?: number | undefined
  /** Only events of blocks that are known to be final. */
  finalized?: boolean | undefined
  /** Every event of a network up to this block, such as `base:34160634`, or an error until it is indexed so far. */
  minBlock?: OneOrMore<`${Network}:${number}`>
  transactionHash?: string | undefined
  /** A number to filter by, a direction to sort in, or both. */
  blockNumber?: number | Direction | readonly [number, Direction] | undefined
  createdAt?: Direction | undefined
  /** Records a page, 500 at most; 50 by default. */
  limit?: number | undefined
  skip?: number | undefined
  /** The `next` of an earlier page of the same query; takes the place of `skip`. */
  cursor?: string | undefined
  /** Tell how many records match: `total` of the page, or `totalAtLeast`. */
  count?: boolean | undefined
}

export type UserQuery<Kind extends EventKind = EventKind> = CommonQuery<Kind>

/** `address` is the token contract, `user` a user in any part; the others are fields of the events. */
export type TokenQuery<Kind extends EventKind = EventKind> = CommonQuery<Kind> & {
  [Name in Role | 'user']?: string | undefined
} & {
  address?: OneOrMore<string>
  /** A token of the contract; needs `address`. */
  tokenId?: string | bigint | number | undefined
}

/** The records of one kind: `RecordOf<'Minted'>` has `creator`. */
export type RecordOf<Kind extends EventKind> = EventRecord & { event: Kind }

/** A query, and the path of the endpoint that it goes to. */
export interface RequestTarget {
  path: string
  query: UserQuery | TokenQuery | ChangesQuery
}

/** The query string of a query, `?` included; empty where nothing is asked. */
export function queryString(query: RequestTarget['query']): string {
  // A cursor says where to begin by itself.
  return parameters({ ...query, ...(query.cursor !== undefined && { skip: undefined }) })
}

type Value = string | number | bigint | boolean | Date

function parameters(query: Record<string, Value | undefined | readonly Value[]>): string {
  const given = Object.entries(query)
  const pairs = given.flatMap(([name, values]) =>
    [values]
      .flat()
      .flatMap((value): [string, string][] => (value === undefined ? [] : [[name, textOf(value)]])),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

const textOf = (value: Value) => (value instanceof Date ? value.toISOString() : String(value))
