import { EVENT_KINDS, type EventKind } from '../events/event-kinds.ts'
import type { EventList } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'
import type { Condition } from './condition.ts'
import type { AskedBeside, TestContext } from './filter-forms.ts'
import { type FilterEntry, type Filters, filterEntries, filterOf } from './filters.ts'

export const kindsOf = (filters: Filters): EventKind[] =>
  EVENT_KINDS.filter(kind => filterEntries(filters).every(entry => allowsKind(entry, kind)))

function allowsKind([name, values]: FilterEntry, kind: EventKind): boolean {
  const { fields, allows = () => true } = filterOf(name)
  return fields[kind] !== undefined && allows(values, kind)
}

/** Returns lists that each contain every match, in the order in which to read them. No list contains another. */
export function candidateLists(filters: Filters, kinds: readonly EventKind[]): EventList[] {
  const kind = onlyOne(kinds)
  const beside = { kind, token: onlyOne(filters.address ?? []) }
  const implied = filterEntries(filters)
    .flatMap(entry => impliedLists(entry, beside))
    // A transaction's list is never longer than the list of its block, so the block's list is not needed.
    .filter(({ of }) => of !== 'block' || filters.transactionHash === undefined)
  const narrowest = implied.reduce<EventList[]>(
    (kept, list) =>
      kept.some(other => isWithin(other, list))
        ? kept
        : [...kept.filter(other => !isWithin(list, other)), list],
    [],
  )
  if (narrowest.length === 0) return [{ of: 'all', ...(kind && { event: kind }) }]
  return narrowest.sort((a, b) => likelyLength(a) - likelyLength(b))
}

/** Short lists are read first, because even the first read, which is small, usually reaches their end. */
function likelyLength(list: EventList): number {
  if (list.of === 'transaction' || list.of === 'block') return 0
  if (list.of === 'user') return list.role === undefined ? 3 : 2
  return list.of === 'token' && list.tokenId !== undefined ? 1 : 4
}

function impliedLists([name, values]: FilterEntry, beside: AskedBeside): EventList[] {
  const value = onlyOne(values)
  return value === undefined ? [] : (filterOf(name).lists?.(value, beside) ?? [])
}

const onlyOne = <Value>([value, ...others]: readonly Value[]) => (others.length === 0 ? value : undefined)

interface ListPart {
  list: EventList
  /** The only network that is read, or undefined if all networks are read. */
  within: Network | undefined
}

/** A query, or a part of a query: its filters, and the kinds of events that can match. */
export interface Question {
  filters: Filters
  kinds: readonly EventKind[]
}

/** Returns the filters that some of the list's events might not match, so that each row must be tested against them. */
export function openFilters({ filters, kinds }: Question, { list, within }: ListPart): FilterEntry[] {
  const isReadByNetwork = list.of !== 'transaction' && list.of !== 'block'
  const known = { ...filtersOfList(list), ...(isReadByNetwork && within && { network: [within] }) }
  const { event: _, ...others } = filters
  const open = filterEntries(others).filter(entry => !follows(entry, known, kinds))
  // If events of other kinds in the list could pass all other tests, each row's kind is tested too.
  const tested: Filters = { ...known, ...Object.fromEntries(open) }
  const isKindKnown = kindsOf(tested).every(kind => kinds.includes(kind))
  return isKindKnown ? open : [...open, ['event', kinds]]
}

export const conditionsOf = (
  open: readonly FilterEntry[],
  { filters, kinds }: Question,
  finalThrough: TestContext['finalThrough'],
): Condition[] =>
  open.flatMap(([name, values]) => {
    const { fields: byKind, test } = filterOf(name)
    const fields = [...new Set(kinds.flatMap(kind => byKind[kind] ?? []))]
    const isBlockGiven = filters.blockNumber !== undefined
    const tested = test(values, { fields, finalThrough, isBlockGiven })
    return tested
      ? [{ fields, ...tested, isMet: record => byKind[record.event] !== undefined && tested.isMet(record) }]
      : []
  })

/** Returns the filters that define a list: the list contains exactly the events that meet all of them. */
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

function isWithin(list: EventList, other: EventList): boolean {
  const known = filtersOfList(list)
  return filterEntries(filtersOfList(other)).every(entry => follows(entry, known, EVENT_KINDS))
}

/** Whether every event of these kinds that meets the known filters also meets the given filter. */
function follows([name, values]: FilterEntry, known: Filters, kinds: readonly EventKind[]): boolean {
  const possible = kindsOf(known).filter(kind => kinds.includes(kind))
  const equal = filterEntries(known).map(([other, anyOf]) => ({ fields: filterOf(other).fields, anyOf }))
  return filterOf(name).isImplied?.(values, { kinds: possible, equal }) ?? false
}
