import { FORMAT_NAMES, type FormatName } from '../../query/parameters.ts'
import { NotAcceptableError } from '../http-errors.ts'
import { preferredType } from '../preferred-type.ts'
import { FORMATS, type Format, MEDIA_TYPES, NAMED_TYPES } from './formats.ts'

/**
 * The format that the parameter `format` names or, without the parameter, the one that the caller likes best. Throws
 * `NotAcceptableError` where the caller names none and accepts none.
 */
export function chooseFormat(accept: string | undefined, named?: FormatName): Format {
  const type = named === undefined ? preferredType(MEDIA_TYPES, accept) : NAMED_TYPES[named]
  if (type === undefined) {
    throw new NotAcceptableError(
      `Accept names none of the formats: they are ${MEDIA_TYPES.join(', ')}. Where Accept cannot be set, format is ${FORMAT_NAMES.join(', ')}`,
    )
  }
  return FORMATS[type]
}
