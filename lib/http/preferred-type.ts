import Negotiator from 'negotiator'

/**
 * Returns the media type that the caller prefers (RFC 9110, 12.5.1). Types are compared by weight, then by how specific
 * their range is, then by the caller's order, and then by the order of `types`. A caller without a preference gets the
 * first type. Returns undefined if the caller accepts none of the types. Ignores parameters other than the weight.
 */
export function preferredType<Type extends string>(
  types: readonly Type[],
  accept: string | undefined,
): Type | undefined {
  if (accept === undefined || SAYS_NOTHING.test(accept)) return types[0]
  const headers = { accept: accept.replace(PARAMETERS, '') }
  const [preferred] = new Negotiator({ headers }).mediaTypes(types)
  return types.find(type => type === preferred)
}

/**
 * Matches an `Accept` without a preference: a list of empty elements (RFC 9110, 5.6.1), or `*`, which old clients
 * write.
 */
const SAYS_NOTHING = /^[\s,*]*$/
/** Matches every parameter except `q`. */
const PARAMETERS = /;\s*(?!q\s*=)[^\s=;,]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^;,]*)/gi
