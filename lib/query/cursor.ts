import * as z from 'zod/mini'
import { ROLES } from '../events/event-kinds.ts'
import { NETWORKS, type Network } from '../events/networks.ts'
import { decodePlace } from '../events/place.ts'
import type { Endpoint } from './endpoints.ts'
import { type Filters, type FilterValue, filterEntries } from './filters.ts'
import type { Position } from './position.ts'
import type { Query } from './query.ts'
import { seal, unseal } from './sealed-text.ts'

/** Incremented with every change to the encoding, so that cursors in an older encoding are rejected. */
const VERSION = 1

export interface CursorState {
  from: Position | undefined
  skip: number
  /** The final blocks when the cursor was issued. Set only for a query with the filter `finalized`. */
  finalThrough?: FinalBlocks | undefined
}

/** The last final block of each network. */
export type FinalBlocks = Partial<Record<Network, number>>

function createPayloadSchema() {
  const place = z.string().check(z.refine(text => decodePlace(text) !== undefined))
  const count = z.number().check(z.int(), z.minimum(0))
  return z.tuple([
    z.literal(VERSION),
    count,
    z.nullable(
      z.discriminatedUnion('at', [
        z.strictObject({ at: z.literal('place'), place }),
        z.strictObject({ at: z.literal('second'), place }),
        z.strictObject({ at: z.literal('run'), place }),
        z.strictObject({
          at: z.literal('networks'),
          places: z.partialRecord(z.enum(NETWORKS), z.union([z.literal('end'), place])),
          last: z.exactOptional(place),
        }),
      ]),
    ),
    z.optional(z.partialRecord(z.enum(NETWORKS), count)),
  ])
}

/** Created on first use, to keep cold starts short. */
let payloadSchema: ReturnType<typeof createPayloadSchema> | undefined

/** The cursor is bound to `queryKey`, and never expires, because it contains the whole state. */
export const encodeCursor = ({ from, skip, finalThrough }: CursorState, queryKey: string): string =>
  seal([VERSION, skip, from ?? null, ...(finalThrough ? [finalThrough] : [])], queryKey)

/**
 * Undefined if the cursor is malformed, altered, or bound to a different query. The digest needs no secret key, because
 * a forged cursor can only contain a different position in the query's own lists.
 */
export function decodeCursor(cursor: string, queryKey: string): CursorState | undefined {
  const state = readState(cursor)
  return state && encodeCursor(state, queryKey) === cursor ? state : undefined
}

/** Whether a string has the form of a cursor, regardless of its query. */
export const isCursor = (text: string): boolean => readState(text) !== undefined

function readState(cursor: string): CursorState | undefined {
  payloadSchema ??= createPayloadSchema()
  const result = payloadSchema.safeParse(unseal(cursor))
  if (!result.success) return undefined
  const [, skip, from, finalThrough] = result.data
  return { from: from ?? undefined, skip, ...(finalThrough && { finalThrough }) }
}

/**
 * Returns a string that is equal for two requests if and only if their queries are the same. Cursors never expire and
 * are bound to this string, so changing a single byte would invalidate every cursor. The filters of the first version
 * therefore keep their old names here: the token's address is `token`, and the filters for users in a role are grouped
 * in `roles`. Later filters have their usual names. A single value is not written as an array.
 */
export function keyOfQuery(endpoint: Endpoint, { filters, order }: Query): string {
  if (filters === 'unmatchable') return `${endpoint} ${JSON.stringify({ filters, order })}`
  const { user, address: token, network, event, blockNumber, transactionHash, ...others } = valuesOf(filters)
  const roles = Object.fromEntries(ROLES.map(role => [role, others[role]]))
  const later = Object.fromEntries(
    Object.entries(others)
      .filter(([name]) => !(name in roles))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const named = { user, token, network, event, blockNumber, transactionHash, roles, ...later }
  return `${endpoint} ${JSON.stringify({ filters: named, order })}`
}

type Values = FilterValue | readonly FilterValue[]

const valuesOf = (filters: Filters): Partial<Record<string, Values>> =>
  Object.fromEntries(
    filterEntries(filters).map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  )
