import { EVENT_KINDS, type EventKind } from '../events/event-kinds.ts'
import type { EventList } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'
import type { Condition } from './condition.ts'
import { type AskedBeside, type FilterEntry, type Filters, filterEntries, filterOf } from './filters.ts'

/** The kinds whose events can meet all filters. */
export const kindsOf = (filters: Filters): EventKind[] =>
  EVENT_KINDS.filter(kind => filterEntries(filters).every(entry => allowsKind(entry, kind)))

function allowsKind([name, values]: FilterEntry, kind: EventKind): boolean {
  const filter = filterOf(name)
  if (!('fields' in filter)) return true
  const { fields, kindsOf: allowed } = filter
  return allowed ? values.some(value => allowed(value).includes(kind)) : fields[kind] !== undefined
}

/** Short lists come first: the first look at each is the same, and may end the reading. */
const READ_FIRST: readonly EventList['of'][] = ['transaction', 'block', 'token', 'user', 'all']

/** Lists that each hold every match; those that are known to hold another of them are left out. */
export function candidateLists(filters: Filters, kinds: readonly EventKind[]): EventList[] {
  const kind = onlyOne(kinds)
  const beside = { kind, token: onlyOne(filters.address ?? []) }
  const implied = filterEntries(filters)
    .flatMap(entry => impliedLists(entry, beside))
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

/** The lists that hold every match because of one filter; none where it lets events of several lists through. */
function impliedLists([name, values]: FilterEntry, beside: AskedBeside): EventList[] {
  const filter = filterOf(name)
  const value = onlyOne(values)
  return 'lists' in filter && value !== undefined ? (filter.lists?.(value, beside) ?? []) : []
}

const onlyOne = <Value>([value, ...others]: readonly Value[]) => (others.length === 0 ? value : undefined)

interface ListPart {
  list: EventList
  /** The network whose part of the list is read. */
  within: Network | undefined
}

/** What is asked, and what the answer to it has to be found by. */
export interface Question {
  filters: Filters
  /** The kinds of events that can match. */
  kinds: readonly EventKind[]
}

/** The filters that do not already follow from standing in the list, so that its rows have to be tested for them. */
export function openFilters({ filters, kinds }: Question, { list, within }: ListPart): FilterEntry[] {
  const isReadByNetwork = list.of !== 'transaction' && list.of !== 'block'
  const known = { ...filtersOfList(list), ...(isReadByNetwork && within && { network: [within] }) }
  const { event, ...others } = filters
  const open = filterEntries(others).filter(
    entry => isTested(entry, filters) && !follows(entry, known, kinds),
  )
  // The others may follow only because the kind is right, so what they imply of it counts where they are tested.
  const tested: Filters = { ...known, ...Object.fromEntries(open) }
  const isKindKnown = event === undefined || kindsOf(tested).every(kind => event.includes(kind))
  return isKindKnown ? open : [...open, ['event', event]]
}

/** Not where what lies outside of a span is not read anyway: seconds, and blocks where the block is given. */
function isTested([name]: FilterEntry, { blockNumber }: Filters): boolean {
  const filter = filterOf(name)
  return !('spanOf' in filter) || (filter.spanOf === 'blocks' && blockNumber === undefined)
}

interface ConditionContext {
  kinds: readonly EventKind[]
  /** Up to which block networks are final. */
  finalThrough: ReadonlyMap<Network, number> | undefined
}

/** How the rows of a list are tested for a filter. */
export function conditionOf(
  [name, values]: FilterEntry,
  { kinds, finalThrough }: ConditionContext,
): Condition {
  const filter = filterOf(name)
  if ('fields' in filter) return { fields: fieldsOf(name, kinds), anyOf: values }
  if ('isOfFinality' in filter) return { finalThrough }
  const block = Number(values[0])
  return filter.end === 'from' ? { fromBlock: block } : { toBlock: block }
}

/** The filters that every event of a list meets, and only those. */
function filtersOfList(list: EventList): Filters {
  switch (list.of) {
    case 'user':
      if (list.role) return { [list.role]: [list.address] }
      return { user: [list.address], ...(list.event && { event: [list.event] }) }
    case 'token':
      return {
        address: [list.address],
        ...(list.tokenId !== undefined && { tokenId: [list.tokenId] }),
        ...(list.event && { event: [list.event] }),
      }
    case 'all':
      return list.event ? { event: [list.event] } : {}
    case 'transaction':
      return { transactionHash: [list.hash] }
    case 'block':
      return { blockNumber: [list.blockNumber] }
  }
}

/** Whether every event of one list stands in the other, too. */
function isWithin(list: EventList, other: EventList): boolean {
  const known = filtersOfList(list)
  return filterEntries(filtersOfList(other)).every(entry => follows(entry, known, EVENT_KINDS))
}

/** Whether every event of these kinds that meets the known filters meets this one: by its kind, or by one of its fields. */
function follows(entry: FilterEntry, known: Filters, kinds: readonly EventKind[]): boolean {
  const [name, values] = entry
  const possible = kindsOf(known).filter(kind => kinds.includes(kind))
  const filter = filterOf(name)
  if (!('fields' in filter)) return false
  if (filter.kindsOf) return possible.every(kind => allowsKind(entry, kind))
  return filterEntries(known).some(
    ([other, same]) =>
      same.every(value => values.includes(value)) &&
      possible.every(kind => fieldsOf(other, [kind]).every(field => filter.fields[kind]?.includes(field))),
  )
}

/** The fields that a filter looks at in events of these kinds. */
function fieldsOf(name: FilterEntry[0], kinds: readonly EventKind[]): string[] {
  const filter = filterOf(name)
  return 'fields' in filter ? [...new Set(kinds.flatMap(kind => filter.fields[kind] ?? []))] : []
}
