import { type EventKind, ROLE_FIELDS, ROLES, type Role, USER_FIELDS, type UserField } from './event-kinds.ts'
import type { EventRecord } from './record.ts'

/**
 * A list of events in the table, sorted by place. A query reads one or a few lists. `event` narrows a list to one kind,
 * `role` to events with the user in this role, and `tokenId` to events that move, mint or burn this token id.
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

/** Returns the event's lists, except those of its transaction and block, which are indexes on the items of `all`. */
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

/** Returns the ids in the order of the record, without the repetitions that a batch may contain. */
function tokenIdsOf(record: EventRecord): string[] {
  if ('tokenId' in record) return [record.tokenId]
  return 'tokenIds' in record ? [...new Set(record.tokenIds)] : []
}

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

/** The list's path without the network, such as `user#0x…#from`, `token#0x…#Minted` or `all`. */
export function listPath(list: UserList | TokenList | AllList): string {
  const owner = list.of === 'all' ? 'all' : `${list.of}#${list.address}`
  const part = list.event ?? partOf(list)
  return part === undefined ? owner : `${owner}#${part}`
}

export function partOf(list: UserList | TokenList | AllList): string | undefined {
  if (list.of === 'all') return undefined
  return list.of === 'user' ? list.role : list.tokenId
}
