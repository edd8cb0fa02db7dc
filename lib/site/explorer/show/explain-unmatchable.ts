import { ADDRESS_DIGITS, HASH_DIGITS, hexHint, readSearch } from '../question/read-search.ts'
import type { EventsRequest } from '../question/request-of.ts'

/** `unmatchable` contains the parameters for which the service has reported that no event can match their values. */
export const explainUnmatchable = (
  unmatchable: readonly string[],
  request: EventsRequest,
): ReadonlyMap<string, string> =>
  new Map(unmatchable.map(name => [name, explain(name, givenFor(name, request)[0] ?? '')]))

const ADDRESSES = ['address', 'user', 'from', 'to', 'operator', 'creator', 'owner', 'initialOwner']

/** Addresses and hashes get the same explanation as in the search field. Other mistakes get the service's message. */
export const explainRefusals = (
  refusals: readonly { parameter: string; message: string }[],
  request: EventsRequest,
): ReadonlyMap<string, string> =>
  new Map(
    [...Map.groupBy(refusals, ({ parameter }) => parameter)].map(([parameter, own]) => {
      const hints = new Set(givenFor(parameter, request).flatMap(value => hintFor(parameter, value) ?? []))
      return [parameter, [...hints].join(' ') || own.map(({ message }) => message).join('; ')]
    }),
  )

export const addressesIn = (request: EventsRequest): [name: string, values: string[]][] =>
  ADDRESSES.map(name => [name, givenFor(name, request)])

function hintFor(parameter: string, value: string): string | undefined {
  if (parameter === 'transactionHash') return HASH.test(value) ? undefined : hexHint(value, HASH_DIGITS)
  const reading = readSearch(value)
  return ADDRESSES.includes(parameter) && 'hint' in reading ? reading.hint : undefined
}

const HASH = /^0x[0-9a-f]{64}$/i

/**
 * Returns the values of a parameter in the request, which has the address of user events in its path. The service
 * reports a parameter as unmatchable only if none of its values can match, so the first value can serve as the example.
 */
function givenFor(name: string, { endpoint, address, query }: EventsRequest): string[] {
  if (endpoint === 'user-events' && name === 'address') return [address]
  return [(query as Record<string, unknown>)[name]].flat().map(String)
}

function explain(name: string, value: string): string {
  const [what, digits] =
    name === 'transactionHash' ? ['A transaction hash', HASH_DIGITS] : ['An address', ADDRESS_DIGITS]
  return hexHint(value, digits) ?? `${what} must be 0x and ${digits} hex digits.`
}
