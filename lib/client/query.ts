import type { EventKind, EventRecord, Network, Role } from './records.ts'

type Direction = 'asc' | 'desc'

/** What both kinds of query can ask; everything given must hold. */
interface CommonQuery<Kind extends EventKind> {
  event?: Kind | undefined
  transactionHash?: string | undefined
  /** A number to filter by, a direction to sort in, or both. */
  blockNumber?: number | Direction | readonly [number, Direction] | undefined
  createdAt?: Direction | undefined
  /** Records a page, 500 at most; 50 by default. */
  limit?: number | undefined
  skip?: number | undefined
  /** The `next` of an earlier page of the same query; takes the place of `skip`. */
  cursor?: string | undefined
}

export interface UserQuery<Kind extends EventKind = EventKind> extends CommonQuery<Kind> {
  network?: Network | undefined
}

/** `address` is the token contract; the others are fields of the events. */
export type TokenQuery<Kind extends EventKind = EventKind> = CommonQuery<Kind> & {
  [Name in Role | 'address']?: string | undefined
}

/** The records of one kind: `RecordOf<'Minted'>` has `creator`. */
export type RecordOf<Kind extends EventKind> = EventRecord & { event: Kind }

/** The query string of a query, `?` included; empty where nothing is asked. */
export function queryString(query: UserQuery | TokenQuery): string {
  const { skip, ...rest } = query
  const given = Object.entries(query.cursor === undefined ? { skip, ...rest } : rest)
  const pairs = given.flatMap(([name, values]) =>
    [values]
      .flat()
      .flatMap((value): [string, string][] => (value === undefined ? [] : [[name, String(value)]])),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
