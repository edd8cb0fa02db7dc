import { type EventKind, ROLE_FIELDS, ROLES, type Role, USER_FIELDS, type UserField } from './event-kinds.ts'
import type { EventRecord } from './record.ts'

/**
 * A list of events that is kept ready in the table, in place order. A query is answered by reading
 * one list, or a few. `event` narrows a list to one kind, `role` to the events where the user has it, `tokenId` to
 * those that move, mint or burn that id.
 */
export type EventList =
  | { of: 'user'; address: string; event?: EventKind; role?: Role }
  | { of: 'token'; address: string; event?: EventKind; tokenId?: string }
  | { of: 'all'; event?: EventKind }
  | { of: 'transaction'; hash: string }
  | { of: 'block'; blockNumber: number }

export type UserList = Extract<EventList, { of: 'user' }>
export type TokenList = Extract<EventList, { of: 'token' }>
export type AllList = Extract<EventList, { of: 'all' }>

/**
 * The lists that an event is written into, one item each: those of its network, of its token and each of the ids,
 * and of every user it names. Its transaction and its block are found through the item of `all`.
 */
export function listsOf(record: EventRecord): (UserList | TokenList | AllList)[] {
  const { event, address } = record
  return [
    { of: 'all' },
    { of: 'all', event },
    { of: 'token', address },
    { of: 'token', address, event },
    ...usersOf(record).flatMap((user): UserList[] => [
      { of: 'user', address: user },
      { of: 'user', address: user, event },
      ...rolesOf(record, user).map((role): UserList => ({ of: 'user', address: user, role })),
    ]),
    ...tokenIdsOf(record).map((tokenId): TokenList => ({ of: 'token', address, tokenId })),
  ]
}

/** Every token id of the event, once each, in the order of the record; a batch may repeat one. */
function tokenIdsOf(record: EventRecord): string[] {
  if ('tokenId' in record) return [record.tokenId]
  return 'tokenIds' in record ? [...new Set(record.tokenIds)] : []
}

/** Every user address of the event, once each. */
export function usersOf(record: EventRecord): string[] {
  return [...new Set(USER_FIELDS[record.event].map(field => fieldOf(record, field)))]
}

function rolesOf(record: EventRecord, user: string): Role[] {
  return ROLES.filter(role => {
    const field = ROLE_FIELDS[role][record.event]
    return field !== undefined && fieldOf(record, field) === user
  })
}

const fieldOf = (record: EventRecord, field: UserField) =>
  (record as unknown as Record<UserField, string>)[field]

/** The name of a list without its network, for people: `user#0x…#from`, `token#0x…#Minted`, `token#0x…#77`, `all`. */
export function listPath(list: UserList | TokenList | AllList): string {
  const owner = list.of === 'all' ? 'all' : `${list.of}#${list.address}`
  const part = list.event ?? partOf(list)
  return part === undefined ? owner : `${owner}#${part}`
}

/** What narrows a list, beside a kind: a role of its user, an id of its token. */
export function partOf(list: UserList | TokenList | AllList): string | undefined {
  if (list.of === 'all') return undefined
  return list.of === 'user' ? list.role : list.tokenId
}
