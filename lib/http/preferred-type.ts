import Negotiator from 'negotiator'

/**
 * Of these media types the one that the caller likes best (RFC 9110, 12.5.1): by its weights, then as it names them,
 * then in the order given here. The first for a caller who says nothing; undefined where it accepts none of them.
 */
export function preferredType<Type extends string>(
  types: readonly [Type, ...Type[]],
  accept: string | undefined,
): Type | undefined {
  if (accept === undefined || accept.trim() === '') return types[0]
  const [preferred] = new Negotiator({ headers: { accept } }).mediaTypes(types.map(inUtf8))
  return types.find(type => inUtf8(type) === preferred)
}

/** All texts of the service are, and some callers name it. */
const inUtf8 = (type: string) => `${type}; charset=utf-8`
