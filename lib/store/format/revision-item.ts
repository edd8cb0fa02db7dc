import { type NumberedRevision, type Revision, revisionSchema } from '../../events/revision.ts'
import { LIST_KEY, PLACE_KEY, REVISIONS_LIST } from './keys.ts'
import { namingRow } from './naming-row.ts'

/** The attribute with the entry as JSON text. The stored name is older than the word "revision". */
export const REVISION = 'rewind'
/**
 * The attribute with the time at which DynamoDB may delete the entry, in Unix seconds. The newest entry has no such
 * time.
 */
export const EXPIRES = 'expires'

/** The number of digits of an entry's number in its key, enough for every log. */
const NUMBER_DIGITS = 12

/** The key of an entry. */
export const revisionKey = (number: number) => ({
  [LIST_KEY]: REVISIONS_LIST,
  [PLACE_KEY]: String(number).padStart(NUMBER_DIGITS, '0'),
})

/**
 * Parses an entry from its place (sort key) and its text. Throws `CorruptRowError` for a malformed entry, because a
 * reader that skipped the entry would miss removals.
 */
export function parseRevision(place: string | undefined, text: string | undefined): NumberedRevision {
  return namingRow({ list: REVISIONS_LIST, place: String(place) }, () => {
    const revision: Revision = revisionSchema.parse(JSON.parse(text ?? ''))
    return { ...revision, number: numberOf(place) }
  })
}

/** The number of an entry, parsed from its place. Throws a `TypeError` for a malformed place. */
export function numberOf(place: string | undefined): number {
  const number = Number(place)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new TypeError(`${place} is not the number of an entry`)
}
