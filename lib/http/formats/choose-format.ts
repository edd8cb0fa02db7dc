import { NotAcceptableError } from '../http-errors.ts'
import { preferredType } from '../preferred-type.ts'
import { FORMATS, type Format, MEDIA_TYPES } from './formats.ts'

/** The format that the caller likes best. Throws `NotAcceptableError` where it accepts none. */
export function chooseFormat(accept: string | undefined): Format {
  const type = preferredType(MEDIA_TYPES, accept)
  if (type === undefined) {
    throw new NotAcceptableError(`Accept names none of the formats: they are ${MEDIA_TYPES.join(', ')}`)
  }
  return FORMATS[type]
}
