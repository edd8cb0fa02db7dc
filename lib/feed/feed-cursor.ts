import * as z from 'zod/mini'
import { NETWORKS, type Network } from '../events/networks.ts'
import { BEGINNING, decodePlace } from '../events/place.ts'
import { countSchema } from '../events/record-fields.ts'
import { seal, unseal } from '../query/sealed-text.ts'
import type { FeedState, Places } from './feed-state.ts'

/** Cursors with any other version are rejected. */
const VERSION = 'c1'
/**
 * Earlier versions of the service may receive a cursor during a deployment or after a rollback, but know no field for
 * the time of the last seen log entry. A cursor therefore stores this time as the `until` of a made-up load without
 * places, whose id is the prefix below, followed by the entry's number. Earlier versions treat this load as dead, and
 * may keep it in their cursors after they have read further entries, so the time is valid only if the load's id
 * contains the number of the last seen entry.
 */
const SEEN_AT = 'seen-at '
/** The table is stored as the id of a made-up load, too. This load has no time, so earlier versions drop it at once. */
const TABLE = 'table '
/** The maximum number of loads in a valid cursor, far more than ever run at the same time. */
const MAX_LOADS = 200

const placesSchema = z
  .partialRecord(z.enum(NETWORKS), z.string())
  .check(
    z.refine(places =>
      Object.entries(places).every(([network, place]) => isPlaceOf(network as Network, place)),
    ),
  )

const isPlaceOf = (network: Network, place: string | undefined) =>
  place === BEGINNING || (place !== undefined && decodePlace(place)?.network === network)

const payloadSchema = z.tuple([
  z.literal(VERSION),
  countSchema,
  countSchema,
  placesSchema,
  z.array(z.tuple([z.string(), countSchema, placesSchema])).check(z.maxLength(MAX_LOADS)),
  z.boolean(),
])

export function encodeFeedCursor(
  { table, seen, seenAt, reported, places, loads, isNew }: FeedState,
  scopeKey: string,
): string {
  const open = loads.map(load => [load.id, load.until, load.places])
  const time = seenAt === undefined ? [] : [[SEEN_AT + seen, seenAt, {}]]
  const origin = table === undefined ? [] : [[TABLE + table, 0, {}]]
  return seal([VERSION, seen, reported, places, [...open, ...time, ...origin], isNew], scopeKey)
}

/** Undefined if the cursor is malformed, was altered, or is bound to another scope. */
export function decodeFeedCursor(cursor: string, scopeKey: string): FeedState | undefined {
  const state = readState(cursor)
  // Checks the seal of the text that the caller sent, instead of encoding the state again, because an earlier version
  // may have encoded the state differently.
  return state && seal(unseal(cursor), scopeKey) === cursor ? state : undefined
}

/** Whether a string has the form of a feed cursor of any scope. */
export const isFeedCursor = (text: string): boolean => readState(text) !== undefined

function readState(cursor: string): FeedState | undefined {
  const result = payloadSchema.safeParse(unseal(cursor))
  if (!result.success) return undefined
  const [, seen, reported, places, entries, isNew] = result.data
  const seenAt = entries.find(([id]) => id === SEEN_AT + seen)?.[1]
  const table = entries.find(([id]) => id.startsWith(TABLE))?.[0].slice(TABLE.length)
  const loads = entries.filter(([id]) => !id.startsWith(SEEN_AT) && !id.startsWith(TABLE))
  return {
    ...(table !== undefined && { table }),
    seen,
    ...(seenAt !== undefined && { seenAt }),
    reported,
    places: places as Places,
    loads: loads.map(([id, until, back]) => ({ id, until, places: back as Places })),
    isNew,
  }
}
