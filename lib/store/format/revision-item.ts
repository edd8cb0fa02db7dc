import { type NumberedRevision, type Revision, revisionSchema } from '../../events/revision.ts'
import { namingRow } from '../../query/errors.ts'
import { LIST_KEY, PLACE_KEY, REVISIONS_LIST } from './keys.ts'

/** The attribute that contains the entry as JSON. The stored name predates the term "revision". */
export const REVISION = 'rewind'
/** After this time (Unix seconds), DynamoDB may delete the entry. The newest entry lacks this attribute. */
export const EXPIRES = 'expires'

const NUMBER_DIGITS = 12

export const revisionKey = (number: number) => ({
  [LIST_KEY]: REVISIONS_LIST,
  [PLACE_KEY]: String(number).padStart(NUMBER_DIGITS, '0'),
})

/** Throws `CorruptRowError` for a malformed entry, because a reader that skipped it would miss removals. */
export function parseRevision(place: string | undefined, text: string | undefined): NumberedRevision {
  return namingRow({ list: REVISIONS_LIST, place: String(place) }, () => {
    const revision: Revision = revisionSchema.parse(JSON.parse(text ?? ''))
    return { ...revision, number: numberOf(place) }
  })
}

/** Throws a `TypeError` for a malformed place. */
export function numberOf(place: string | undefined): number {
  const number = Number(place)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new TypeError(`${place} is not the number of an entry in the log of revisions`)
}
