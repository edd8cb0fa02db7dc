import {
  EVENT_KINDS,
  type EventKind,
  ROLE_FIELDS,
  ROLES,
  type Role,
  USER_FIELDS,
} from '../events/event-kinds.ts'
import type { EventList } from '../events/lists.ts'
import { NETWORKS, type Network } from '../events/networks.ts'
import type { Condition } from './condition.ts'
import type { Direction, Filters, Order, Question } from './question.ts'

/** How a question is answered: which lists are read, in which way their rows become the answer's order. */
export type Plan = NothingPlan | RowsPlan | TiesReversedPlan | BlockRunsPlan

/** No event can be in the answer. */
export interface NothingPlan {
  read: 'nothing'
  because: string
}

/** One list, or several that each hold every match and are read with one shared frontier. */
export interface ListsPlan {
  read: 'lists'
  lists: ListChoice[]
  /** Only this network's part. */
  network?: Network
  direction: Direction
}

/** A list, and what its rows must still be tested for. */
export interface ListChoice {
  list: EventList
  where: Condition[]
}

/** One part for each network, merged by time or by block number. */
export interface MergePlan {
  read: 'merge'
  by: Order['by']
  direction: Direction
  parts: (ListsPlan & { network: Network })[]
}

type RowsPlan = ListsPlan | MergePlan

/** Rows by time in one direction, each run of equal timestamps turned round. */
export interface TiesReversedPlan {
  read: 'ties-reversed'
  source: RowsPlan
  ties: Direction
}

/** One block number or transaction hash: at most one run per network, put in order of block and network. */
export interface BlockRunsPlan {
  read: 'block-runs'
  source: ListsPlan
}

/** The cheapest way to answer a question. Pure: it follows from the question alone. */
export function planQuery({ filters, order }: Question): Plan {
  if (filters === 'unmatchable')
    return { read: 'nothing', because: 'a value is no address or hash of any event' }
  const kinds = possibleKinds(filters)
  if (kinds.length === 0) return { read: 'nothing', because: 'no kind of event has all these fields' }

  const rows = (direction: Direction): RowsPlan => planRows({ filters, kinds, by: order.by, direction })
  if (order.by === 'time') {
    const source = rows(order.direction)
    return order.ties === order.direction ? source : { read: 'ties-reversed', source, ties: order.ties }
  }
  const source = rows(order.direction)
  const isOneBlock = filters.blockNumber !== undefined || filters.transactionHash !== undefined
  return source.read === 'lists' && isOneBlock && !filters.network ? { read: 'block-runs', source } : source
}

interface RowsRequest {
  filters: Filters
  kinds: EventKind[]
  by: Order['by']
  direction: Direction
}

function planRows({ filters, kinds, by, direction }: RowsRequest): RowsPlan {
  const lists = candidateLists(filters, kinds)
  const { network } = filters
  const choices = (within: Network | undefined): ListChoice[] =>
    lists.map(list => ({ list, where: remainingConditions({ filters, kinds, list, within }) }))
  if (network) return { read: 'lists', lists: choices(network), network, direction }

  const overNetworks = lists.every(({ of }) => of !== 'all')
  const inOrder = by === 'time' || lists.some(({ of }) => of === 'block' || of === 'transaction')
  if (overNetworks && inOrder) return { read: 'lists', lists: choices(undefined), direction }
  const parts = NETWORKS.map(part => ({
    read: 'lists' as const,
    lists: choices(part),
    network: part,
    direction,
  }))
  return { read: 'merge', by, direction, parts }
}

/** The kinds that have every field that is asked for. */
function possibleKinds({ event, roles }: Filters): EventKind[] {
  const asked = rolesAsked(roles)
  return EVENT_KINDS.filter(
    kind =>
      (event === undefined || event === kind) &&
      asked.every(([role]) => ROLE_FIELDS[role][kind] !== undefined),
  )
}

/** Lists that each hold every match; those that are known to hold another of them are left out. */
function candidateLists(
  { token, user, blockNumber, transactionHash, roles }: Filters,
  kinds: EventKind[],
): EventList[] {
  const kind = kinds.length === 1 ? kinds[0] : undefined
  const narrowed = kind && { event: kind }
  const lists: EventList[] = []
  if (transactionHash !== undefined) lists.push({ of: 'transaction', hash: transactionHash })
  else if (blockNumber !== undefined) lists.push({ of: 'block', blockNumber })
  if (token !== undefined) lists.push({ of: 'token', address: token, ...narrowed })
  if (user !== undefined) lists.push({ of: 'user', address: user, ...narrowed })
  for (const [role, address] of rolesAsked(roles)) {
    if (!kind || !isOnlyRoleOf(kind, role)) lists.push({ of: 'user', address, role })
    if (kind && !isOnlyKindWith(kind, role) && !lists.some(list => isUserKind(list, address))) {
      lists.push({ of: 'user', address, event: kind })
    }
  }
  return lists.length > 0 ? lists : [{ of: 'all', ...narrowed }]
}

const isUserKind = (list: EventList, address: string) =>
  list.of === 'user' && list.address === address && list.event !== undefined

/** Having the role in this kind is all that a user can be in it: the list by kind holds nothing else. */
const isOnlyRoleOf = (kind: EventKind, role: Role) =>
  USER_FIELDS[kind].length === 1 && ROLE_FIELDS[role][kind] !== undefined

/** The list by role holds no other kind, so it lies within the list by kind. */
const isOnlyKindWith = (kind: EventKind, role: Role) =>
  Object.keys(ROLE_FIELDS[role]).length === 1 &&
  !isOnlyRoleOf(kind, role) &&
  ROLE_FIELDS[role][kind] !== undefined

const rolesAsked = (roles: Filters['roles']) =>
  ROLES.flatMap(role => {
    const address = roles[role]
    return address === undefined ? [] : [[role, address] as const]
  })

interface ConditionsRequest {
  filters: Filters
  kinds: EventKind[]
  list: EventList
  /** The network whose part of the list is read. */
  within: Network | undefined
}

/** What is asked and does not already follow from standing in the list. */
function remainingConditions({ filters, kinds, list, within }: ConditionsRequest): Condition[] {
  const conditions: Condition[] = []
  const need = (isKnown: boolean, fields: readonly string[], equals: string | number | undefined) => {
    if (!isKnown && equals !== undefined) conditions.push({ fields, equals })
  }
  const roles = rolesAsked(filters.roles)
  const byNetwork = list.of !== 'block' && list.of !== 'transaction'
  need(byNetwork && within === filters.network, ['network'], filters.network)
  need(list.of === 'token', ['address'], filters.token)
  need(list.of === 'user' && list.role === undefined, userFields(kinds), filters.user)
  need(list.of === 'block', ['blockNumber'], filters.blockNumber)
  need(list.of === 'transaction', ['transactionHash'], filters.transactionHash)
  const kindFollows =
    ('event' in list && list.event !== undefined) ||
    roles.some(([role]) => Object.keys(ROLE_FIELDS[role]).length === 1)
  need(kindFollows, ['event'], filters.event)
  for (const [role, address] of roles) {
    const holds =
      list.of === 'user' &&
      list.address === address &&
      (list.role === role || (list.event !== undefined && isOnlyRoleOf(list.event, role)))
    need(holds, roleFields(role, kinds), address)
  }
  return conditions
}

const userFields = (kinds: EventKind[]) => [...new Set(kinds.flatMap(kind => USER_FIELDS[kind]))]

const roleFields = (role: Role, kinds: EventKind[]) => [
  ...new Set(kinds.flatMap(kind => ROLE_FIELDS[role][kind] ?? [])),
]
