import { EVENT_KINDS, type EventKind } from '../events/event-kinds.ts'
import type { EventList } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'
import type { Condition } from './condition.ts'
import { type FilterEntry, type Filters, filterEntries, filterOf } from './filters.ts'

/** The kinds whose events can meet all filters. */
export const kindsOf = (filters: Filters): EventKind[] =>
  EVENT_KINDS.filter(kind =>
    filterEntries(filters).every(([name, value]) => {
      const { fields, kindsOf: allowed } = filterOf(name)
      return allowed ? allowed(value).includes(kind) : fields[kind] !== undefined
    }),
  )

/** Short lists come first: the first look at each is the same, and may end the reading. */
const READ_FIRST: readonly EventList['of'][] = ['transaction', 'block', 'token', 'user', 'all']

/** Lists that each hold every match; those that are known to hold another of them are left out. */
export function candidateLists(filters: Filters, kinds: readonly EventKind[]): EventList[] {
  const kind = kinds.length === 1 ? kinds[0] : undefined
  const implied = filterEntries(filters)
    .flatMap(([name, value]) => filterOf(name).lists?.(value, kind) ?? [])
    // The events of a transaction are of one block.
    .filter(({ of }) => of !== 'block' || filters.transactionHash === undefined)
  const narrowest = implied.reduce<EventList[]>(
    (kept, list) =>
      kept.some(other => isWithin(other, list))
        ? kept
        : [...kept.filter(other => !isWithin(list, other)), list],
    [],
  )
  if (narrowest.length === 0) return [{ of: 'all', ...(kind && { event: kind }) }]
  return narrowest.sort((a, b) => READ_FIRST.indexOf(a.of) - READ_FIRST.indexOf(b.of))
}

interface ListPart {
  list: EventList
  /** The network whose part of the list is read. */
  within: Network | undefined
}

/** What is asked and does not already follow from standing in the list. */
export function remainingConditions(
  filters: Filters,
  kinds: readonly EventKind[],
  { list, within }: ListPart,
): Condition[] {
  const isReadByNetwork = list.of !== 'transaction' && list.of !== 'block'
  const known = { ...filtersOfList(list), ...(isReadByNetwork && within && { network: within }) }
  const { event, ...others } = filters
  const open = filterEntries(others).filter(entry => !follows(entry, known, kinds))
  // The others may follow only because the kind is right, so what they imply of it counts where they are tested.
  const tested = { ...known, ...Object.fromEntries(open) }
  const isKindKnown = kindsOf(tested).every(kind => kind === event)
  const conditions = event === undefined || isKindKnown ? open : [...open, ['event', event] as const]
  return conditions.map(([name, value]) => ({ fields: fieldsOf(name, kinds), equals: value }))
}

/** The filters that every event of a list meets, and only those. */
function filtersOfList(list: EventList): Filters {
  switch (list.of) {
    case 'user':
      if (list.role) return { [list.role]: list.address }
      return { user: list.address, ...(list.event && { event: list.event }) }
    case 'token':
      return { address: list.address, ...(list.event && { event: list.event }) }
    case 'all':
      return list.event ? { event: list.event } : {}
    case 'transaction':
      return { transactionHash: list.hash }
    case 'block':
      return { blockNumber: list.blockNumber }
  }
}

/** Whether every event of one list stands in the other, too. */
function isWithin(list: EventList, other: EventList): boolean {
  const known = filtersOfList(list)
  return filterEntries(filtersOfList(other)).every(entry => follows(entry, known, EVENT_KINDS))
}

/** Whether every event of these kinds that meets the known filters meets this one: by its kind, or by one of its fields. */
function follows([name, value]: FilterEntry, known: Filters, kinds: readonly EventKind[]): boolean {
  const possible = kindsOf(known).filter(kind => kinds.includes(kind))
  const { fields, kindsOf: allowed } = filterOf(name)
  if (allowed) return possible.every(kind => allowed(value).includes(kind))
  return filterEntries(known).some(
    ([other, same]) =>
      same === value &&
      possible.every(kind => filterOf(other).fields[kind]?.every(field => fields[kind]?.includes(field))),
  )
}

const fieldsOf = (name: FilterEntry[0], kinds: readonly EventKind[]) => [
  ...new Set(kinds.flatMap(kind => filterOf(name).fields[kind] ?? [])),
]
