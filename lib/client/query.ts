import type { ChangesQuery, OneOrMore } from './changes.ts'
import type { EventKind, EventRecord, Network, Role } from './records.ts'

type Direction = 'asc' | 'desc'

/** A point in time: a `Date`, a string with a time and a time zone, a string with only a date, or Unix seconds. */
type Time = Date | string | number | undefined

/** The parameters that both `user-events` and `token-events` accept. An event must match every filter. */
interface CommonQuery<Kind extends EventKind> {
  event?: OneOrMore<Kind>
  network?: OneOrMore<Network>
  /** Only events whose `createdAt` is at this time or later. */
  fromTime?: Time
  /** Only events whose `createdAt` is at this time or earlier. */
  toTime?: Time
  /** Only events in this block or later blocks. */
  fromBlock?: number | undefined
  /** Only events in this block or earlier blocks. */
  toBlock?: number | undefined
  /** Only events in blocks that are known to be final. */
  finalized?: boolean | undefined
  /** A block, such as `base:34160634`. The request fails until the network is completely indexed up to this block. */
  minBlock?: OneOrMore<`${Network}:${number}`>
  transactionHash?: string | undefined
  /** A number to filter by, a sort direction, or both. */
  blockNumber?: number | Direction | readonly [number, Direction] | undefined
  createdAt?: Direction | undefined
  /** The maximum number of records per page, up to 500. The default is 50. */
  limit?: number | undefined
  skip?: number | undefined
  /** The `next` of an earlier page of the same query. Takes precedence over `skip`. */
  cursor?: string | undefined
  /** Whether to count the matching records. The page then has `total`, or `totalAtLeast` if the count stopped early. */
  count?: boolean | undefined
}

export type UserQuery<Kind extends EventKind = EventKind> = CommonQuery<Kind>

/** `address` is the token contract, and `user` is a user in any role. The other parameters are fields of the events. */
export type TokenQuery<Kind extends EventKind = EventKind> = CommonQuery<Kind> & {
  [Name in Role | 'user']?: string | undefined
} & {
  address?: OneOrMore<string>
  /** A token id of the contract. Requires `address`. */
  tokenId?: string | bigint | number | undefined
}

/** The record type of one kind of event. For example, `RecordOf<'Minted'>` has `creator`. */
export type RecordOf<Kind extends EventKind> = EventRecord & { event: Kind }

export interface RequestTarget {
  path: string
  query: UserQuery | TokenQuery | ChangesQuery
}

/**
 * Returns the query string with its leading `?`, or an empty string if there are no parameters. Throws `TypeError` for
 * an empty list, which would leave out the parameter, and for a number that may have been rounded.
 */
export function queryString(query: RequestTarget['query']): string {
  // Omits `skip` if there is a cursor, because the page begins at the cursor.
  return parameters({ ...query, ...(query.cursor !== undefined && { skip: undefined }) })
}

type Value = string | number | bigint | boolean | Date

function parameters(query: Record<string, Value | undefined | readonly Value[]>): string {
  const pairs = Object.entries(query).flatMap(([name, given]) => {
    if (given === undefined) return []
    const values: Value[] = [given].flat()
    if (values.length === 0)
      throw new TypeError(`${name} must not be an empty list. To request all events, leave out ${name}`)
    return values.map((value): [string, string] => [name, textOf(value, name)])
  })
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

function textOf(value: Value, name: string): string {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new TypeError(
      `${name} is a number above 2^53 - 1, which JavaScript may have rounded. Pass it as a string`,
    )
  return value instanceof Date ? value.toISOString() : String(value)
}
