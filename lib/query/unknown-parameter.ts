import { closest, distance } from 'fastest-levenshtein'
import { type Endpoint, PARAMETERS } from './parameters.ts'

/** What other services call things, in lower case. */
const ELSEWHERE: Record<string, readonly string[]> = {
  ...named(['sort', 'sortby', 'order', 'orderby', 'direction'], ['createdAt', 'blockNumber']),
  ...named(['offset', 'start'], ['skip']),
  ...named(['page', 'before', 'after', 'next'], ['cursor']),
  ...named(['pagesize', 'perpage', 'per_page', 'count', 'first', 'size', 'take'], ['limit']),
  ...named(['tx', 'txhash', 'tx_hash', 'hash', 'transaction'], ['transactionHash']),
  ...named(['block', 'height'], ['blockNumber']),
  ...named(['type', 'kind', 'eventname', 'name'], ['event']),
  ...named(['chain', 'chainid', 'chain_id'], ['network']),
  ...named(['contract', 'contractaddress', 'token', 'tokenaddress'], ['address']),
  ...named(['sender'], ['from']),
  ...named(['recipient', 'receiver'], ['to']),
}

/** Of a misspelt name about two letters in three are right; two letters changed places count as two. */
const MISSPELT_SHARE = 1 / 3
/** A shorter name is as near to one parameter as to another. */
const MISSPELT_LEAST = 3
/** No parameter is nearly so long; the cost of comparing grows with the square of the length. */
const MISSPELT_LENGTH = 40

/** What is wrong with a parameter that an endpoint doesn't have: the one that was probably meant, where one is near. */
export function unknownParameter(endpoint: Endpoint, name: string): string {
  if (name === 'network') return 'is not a parameter of token-events, whose answers cover all networks'
  if (name === 'address') return 'is not a query parameter of user-events: the address stands in the path'
  const names = [...Object.keys(PARAMETERS[endpoint]), 'blockNumber']
  const meant = probablyMeant(name, names)
  return meant.length > 0
    ? `is not a parameter of ${endpoint}; did you mean ${meant.join(' or ')}?`
    : `is not a parameter of ${endpoint}, which has ${names.sort().join(', ')}`
}

function probablyMeant(name: string, names: string[]): string[] {
  const lowerCase = name.toLowerCase()
  const sameLetters = names.filter(known => known.toLowerCase() === lowerCase)
  if (sameLetters.length > 0) return sameLetters
  if (Object.hasOwn(ELSEWHERE, lowerCase)) {
    return (ELSEWHERE[lowerCase] ?? []).filter(known => names.includes(known))
  }
  if (name.length < MISSPELT_LEAST || name.length > MISSPELT_LENGTH) return []
  const nearest = closest(name, names)
  return distance(name, nearest) <= Math.ceil(name.length * MISSPELT_SHARE) ? [nearest] : []
}

function named(elsewhere: string[], here: string[]): Record<string, string[]> {
  return Object.fromEntries(elsewhere.map(name => [name, here]))
}
