import { ROLES } from '../events/event-kinds.ts'
import type { Resource } from './endpoints.ts'
import { FILTERS } from './filters.ts'
import { PAGE_PARAMETERS, PARAMETERS } from './parameters.ts'
import { likelyMeant } from './value-schemas.ts'

/** This service's parameters, by their names in other services. */
const ELSEWHERE = new Map<string, string[]>()
for (const [name, { otherNames }] of Object.entries({ ...PAGE_PARAMETERS, ...FILTERS })) {
  for (const other of otherNames) ELSEWHERE.set(other, [...(ELSEWHERE.get(other) ?? []), name])
}

/** Suggests similar parameters, if any exist. */
export function unknownParameter(resource: Resource, name: string): string {
  const elsewhere = OTHERWISE_ASKED[resource](spelling(name))
  if (elsewhere !== undefined) return elsewhere
  const names = Object.keys(PARAMETERS[resource])
  const meant = probablyMeant(name, names)
  return meant.length > 0
    ? `is not a parameter of ${resource}; did you mean ${meant.join(' or ')}?`
    : `is not a parameter of ${resource}, which has ${names.sort().join(', ')}`
}

const means = (spelt: string, name: keyof typeof FILTERS | keyof typeof PAGE_PARAMETERS) =>
  spelt === spelling(name) || ELSEWHERE.get(spelt)?.includes(name) === true

/** Messages about parameters that a resource lacks. Each message names the parameters to use instead. */
const OTHERWISE_ASKED: Record<Resource, (spelt: string) => string | undefined> = {
  changes: spelt => {
    if (isRole(spelt) || spelt === 'previousowner') return insteadOfRole('changes')
    return (['fromTime', 'fromBlock', 'skip'] as const).some(name => means(spelt, name))
      ? 'is not a parameter of changes. To continue, send cursor; to start, send from=beginning or from=now'
      : undefined
  },
  'user-events': spelt => {
    if (spelt === 'address' || means(spelt, 'user')) {
      return 'is not a query parameter of user-events: write the address in the path, or, in a direct invocation, next to query in the payload'
    }
    return means(spelt, 'address') || means(spelt, 'tokenId')
      ? 'is not a parameter of user-events; for events of one user and token, use /v1/token-events with user and address'
      : undefined
  },
  'token-events': spelt => (spelt === 'previousowner' ? insteadOfRole('token-events') : undefined),
}

/** In the feed of changes, `from` is not a role, but says where to start. */
const isRole = (spelt: string) => spelt !== 'from' && ROLES.some(role => means(spelt, role))

const insteadOfRole = (resource: Resource) =>
  `is not a parameter of ${resource}; use the parameter user, which matches this field and every other field that holds a user`

function probablyMeant(name: string, names: string[]): string[] {
  const spelt = spelling(name)
  const sameLetters = names.filter(known => spelling(known) === spelt)
  if (sameLetters.length > 0) return sameLetters
  const elsewhere = ELSEWHERE.get(spelt)
  if (elsewhere) return elsewhere.filter(known => names.includes(known))
  return [likelyMeant(name, names) ?? []].flat()
}

/** Returns the same spelling for names whose words are joined in different ways: `tx_hash`, `tx-hash`, `txHash`. */
const spelling = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '')
