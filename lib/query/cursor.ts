import * as z from 'zod/mini'
import { NETWORKS, type Network } from '../events/networks.ts'
import { decodePlace } from '../events/place.ts'
import type { Position } from './position.ts'
import { seal, unseal } from './sealed-text.ts'

/** Raised when the encoding changes; cursors of another version are refused, never misread. */
const VERSION = 1

/** Where the next page of a query begins. */
export interface CursorState {
  from: Position | undefined
  /** Records still to leave out from there. */
  skip: number
  /** Where only final events are asked for: up to which blocks they were taken to be final. */
  finalThrough?: FinalBlocks | undefined
}

/** Of each network the last block that is final. */
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

/** Made for the first cursor that comes, to keep cold starts short. */
let payloadSchema: ReturnType<typeof createPayloadSchema> | undefined

/**
 * A cursor for the query that `queryKey` names: base64url of a digest and the state as canonical JSON.
 * It holds all that is needed to go on, so it never expires.
 */
export const encodeCursor = ({ from, skip, finalThrough }: CursorState, queryKey: string): string =>
  seal([VERSION, skip, from ?? null, ...(finalThrough ? [finalThrough] : [])], queryKey)

/**
 * Reads a cursor; undefined when it is malformed, altered, or of another query. The digest needs no
 * key: a cursor only says where in the query's own lists to go on, so a forged one reads nothing that
 * the query does not name.
 */
export function decodeCursor(cursor: string, queryKey: string): CursorState | undefined {
  const state = readState(cursor)
  return state && encodeCursor(state, queryKey) === cursor ? state : undefined
}

/** Whether a text has the form of a cursor, be it of whatever query. */
export const isCursor = (text: string): boolean => readState(text) !== undefined

function readState(cursor: string): CursorState | undefined {
  payloadSchema ??= createPayloadSchema()
  const result = payloadSchema.safeParse(unseal(cursor))
  if (!result.success) return undefined
  const [, skip, from, finalThrough] = result.data
  return { from: from ?? undefined, skip, ...(finalThrough && { finalThrough }) }
}
