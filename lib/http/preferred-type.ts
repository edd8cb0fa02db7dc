import Negotiator from 'negotiator'

/**
 * Of these media types the one that the caller likes best (RFC 9110, 12.5.1): by its weights, then by how
 * specific they are, then as it names them, then in the order given here. The first for a caller who says nothing;
 * undefined where it accepts none of them. Parameters beside the weight ask for nothing that could be done otherwise.
 */
export function preferredType<Type extends string>(
  types: readonly [Type, ...Type[]],
  accept: string | undefined,
): Type | undefined {
  if (accept === undefined || SAYS_NOTHING.test(accept)) return types[0]
  const [preferred] = new Negotiator({ headers: { accept: accept.replace(PARAMETERS, '') } }).mediaTypes([
    ...types,
  ])
  return types.find(type => type === preferred)
}

/** A list may have empty elements (RFC 9110, 5.6.1), and old clients write `*` for any type. */
const SAYS_NOTHING = /^[\s,*]*$/
/** All but `q`. */
const PARAMETERS = /;\s*(?!q\s*=)[^\s=;,]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^;,]*)/gi
