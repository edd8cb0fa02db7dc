import { ADDRESS_DIGITS, HASH_DIGITS, hexHint } from '../question/read-search.ts'
import type { EventsRequest } from '../question/request-of.ts'

/** By parameter: why no event can have what the request gives for it. `unmatchable` is what the service has named. */
export const explainUnmatchable = (
  unmatchable: readonly string[],
  request: EventsRequest,
): ReadonlyMap<string, string> =>
  new Map(unmatchable.map(name => [name, explain(name, givenFor(name, request))]))

/** The address of user events stands in the path. Where several values were given, all are wrong, and the first is an example. */
function givenFor(name: string, { endpoint, address, query }: EventsRequest): string {
  if (endpoint === 'user-events' && name === 'address') return address
  const [first] = [(query as Record<string, unknown>)[name]].flat()
  return String(first)
}

function explain(name: string, value: string): string {
  const [what, digits] =
    name === 'transactionHash' ? ['A transaction hash', HASH_DIGITS] : ['An address', ADDRESS_DIGITS]
  return hexHint(value, digits) ?? `${what} is 0x and ${digits} hex digits, and nothing else.`
}
