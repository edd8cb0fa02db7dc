import { type Rewind, rewindSchema } from '../events/rewind.ts'
import type { NumberedRewind } from '../query/changes/change-store.ts'
import { CorruptRowError } from '../query/errors.ts'
import { LIST_KEY, PLACE_KEY, REWINDS_LIST } from './keys.ts'

/** The entry itself, as JSON: a reader makes it from the text of the answer at once. */
export const REWIND = 'rewind'
/** When DynamoDB may delete an entry, in Unix seconds; the newest entry has none. */
export const EXPIRES = 'expires'

/** More than one log will ever hold. */
const NUMBER_DIGITS = 12

/** The key of the entry with a number. */
export const rewindKey = (number: number) => ({
  [LIST_KEY]: REWINDS_LIST,
  [PLACE_KEY]: String(number).padStart(NUMBER_DIGITS, '0'),
})

/** Reads an entry from its place and its text. Throws `CorruptRowError`: who passes one over misses what it says. */
export function parseRewind(place: string | undefined, text: string | undefined): NumberedRewind {
  try {
    const rewind: Rewind = rewindSchema.parse(JSON.parse(text ?? ''))
    return { ...rewind, number: numberOf(place) }
  } catch (cause) {
    throw new CorruptRowError({ list: REWINDS_LIST, place: String(place), cause })
  }
}

/** The number of the entry at a place. */
export function numberOf(place: string | undefined): number {
  const number = Number(place)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new TypeError(`${place} is no number of an entry`)
}
