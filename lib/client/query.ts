import type { ChangesQuery, OneOrMore } from './changes.ts'
import type { EventKind, EventRecord, Network, Role } from './records.ts'

type Direction = 'asc' | 'desc'

/** A moment: a date, a string with a time and its zone, a string with only a date, or Unix seconds. */
type Time = Date | string | number | undefined

/** The parameters of both endpoints. An event must match every given filter. */
interface CommonQuery<Kind extends EventKind> {
  event?: OneOrMore<Kind>
  network?: OneOrMore<Network>
  /** Only events at this time or later, by `createdAt`. */
  fromTime?: Time
  /** Only events at this time or earlier, by `createdAt`. */
  toTime?: Time
  /** Only events of this block and later blocks. */
  fromBlock?: number | undefined
  /** Only events of this block and earlier blocks. */
  toBlock?: number | undefined
  /** Only events of blocks that are known to be final. */
  finalized?: boolean | undefined
  /**
   * A network and a block, such as `base:34160634`. The answer must have every event of the network up to the block, so
   * the request fails while the network is not indexed that far.
   */
  minBlock?: OneOrMore<`${Network}:${number}`>
  transactionHash?: string | undefined
  /** A number to filter by, a direction to sort in, or both. */
  blockNumber?: number | Direction | readonly [number, Direction] | undefined
  createdAt?: Direction | undefined
  /** The maximum number of records per page, up to 500. The default is 50. */
  limit?: number | undefined
  skip?: number | undefined
  /** The `next` of an earlier page of the same query. It takes precedence over `skip`. */
  cursor?: string | undefined
  /** Whether to count the matching records. The page then has `total`, or `totalAtLeast` if counting stopped early. */
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

/** The type of the records of one kind: `RecordOf<'Minted'>` has `creator`. */
export type RecordOf<Kind extends EventKind> = EventRecord & { event: Kind }

/** A query and the path of its endpoint. */
export interface RequestTarget {
  path: string
  query: UserQuery | TokenQuery | ChangesQuery
}

/**
 * The query string of a query, including `?`. Empty if there are no parameters. Throws `TypeError` for an empty list
 * and for a rounded number, because the service would otherwise be asked for something else.
 */
export function queryString(query: RequestTarget['query']): string {
  // With a cursor, `skip` is left out, because the page begins at the cursor.
  return parameters({ ...query, ...(query.cursor !== undefined && { skip: undefined }) })
}

type Value = string | number | bigint | boolean | Date

function parameters(query: Record<string, Value | undefined | readonly Value[]>): string {
  const pairs = Object.entries(query).flatMap(([name, given]) => {
    if (given === undefined) return []
    const values: Value[] = [given].flat()
    if (values.length === 0)
      throw new TypeError(`${name} must not be an empty list. To ask for all events, leave ${name} out`)
    return values.map((value): [string, string] => [name, textOf(value, name)])
  })
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

function textOf(value: Value, name: string): string {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new TypeError(
      `${name} is a number beyond 2^53 - 1, which JavaScript may have rounded. Write it as a string`,
    )
  return value instanceof Date ? value.toISOString() : String(value)
}
