import * as z from 'zod/mini'
import { EVENT_KINDS, type EventKind, ROLE_FIELDS, type Role, USER_FIELDS } from '../events/event-kinds.ts'
import type { EventList } from '../events/lists.ts'
import { NETWORKS } from '../events/networks.ts'
import type { Endpoint } from './endpoint.ts'
import { oneOf, textOfLength, wholeNumber } from './value-schemas.ts'

/**
 * One thing that can be asked of an event. Reading a request, planning it, testing rows, the hints for
 * misspelt names and the OpenAPI document go through the table of these.
 */
interface Filter<Value extends string | number> {
  /** The endpoints that have it as a query parameter. */
  endpoints: readonly Endpoint[]
  /** The values that are valid, read from one text. */
  schema: z.ZodMiniType<Value, string>
  /** The value as records have it; undefined for a valid one that no record can have. */
  normalise?: (value: Value) => Value | undefined
  /** By kind of event, the fields of which at least one must have the value. No event of another kind matches. */
  fields: Partial<Record<EventKind, readonly string[]>>
  /** For a filter that selects kinds: those that it lets through. */
  kindsOf?: (value: Value) => readonly EventKind[]
  /** Lists that hold every match; `kind` is the only kind that can match, where there is just one. */
  lists?: (value: Value, kind: EventKind | undefined) => EventList[]
  /** What it means to a caller. */
  meaning: string
  /** The kind of event whose record gives the documentation its example. */
  exampleKind: EventKind
  /** What other services call it, in lower case and without `_` and `-`. */
  otherNames: readonly string[]
}

const filter = <Value extends string | number>(row: Filter<Value>) => row

export const BLOCK_NUMBER = { min: 1, max: 100_000_000 } as const
const USER_ADDRESS_LENGTH = { min: 42 } as const
const ADDRESS_LENGTH = { min: 35, max: 55 } as const
const TRANSACTION_HASH_LENGTH = { min: 66 } as const

/** Sorting is by `createdAt` or by `blockNumber`. */
export const SORT_NAMES = ['sort', 'sortby', 'order', 'orderby', 'direction'] as const

const ADDRESS = /^0x[0-9a-f]{40}$/
const HASH = /^0x[0-9a-f]{64}$/

/** Hex matches in any letter case, and stands in records in lower case. */
const lowerCase = (pattern: RegExp) => (text: string) => {
  const lower = text.toLowerCase()
  return pattern.test(lower) ? lower : undefined
}

const inEveryKind = (field: string) =>
  Object.fromEntries(EVENT_KINDS.map(kind => [kind, [field]])) as Record<EventKind, [string]>

interface RoleWords {
  meaning: string
  exampleKind: EventKind
  otherNames?: string[]
}

/** A user in one role: in its own list, or among all that the user does in the one kind that can match. */
const roleFilter = (role: Role, { otherNames = [], ...words }: RoleWords) =>
  filter<string>({
    endpoints: ['token-events'],
    schema: textOfLength(ADDRESS_LENGTH),
    normalise: lowerCase(ADDRESS),
    fields: Object.fromEntries(Object.entries(ROLE_FIELDS[role]).map(([kind, field]) => [kind, [field]])),
    lists: (address, kind) => [
      { of: 'user', address, role },
      ...(kind ? [{ of: 'user' as const, address, event: kind }] : []),
    ],
    otherNames,
    ...words,
  })

/** All filters, in the order in which the documentation has them. */
export const FILTERS = {
  user: filter<string>({
    // In the path of user-events.
    endpoints: [],
    schema: textOfLength(USER_ADDRESS_LENGTH),
    normalise: lowerCase(ADDRESS),
    fields: USER_FIELDS,
    lists: (address, kind) => [{ of: 'user', address, ...(kind && { event: kind }) }],
    meaning:
      'The user’s address: `0x` and 40 hex digits, in any letter case. Matches every event in which the user is `creator`, `initialOwner`, `owner`, `operator`, `from`, `to`, `previousOwner` or `newOwner`; each event is returned once. Any other text of a legal length is valid, and has no events.',
    exampleKind: 'TransferSingle',
    otherNames: ['useraddress', 'wallet', 'walletaddress', 'account'],
  }),
  address: filter<string>({
    endpoints: ['token-events'],
    schema: textOfLength(ADDRESS_LENGTH),
    normalise: lowerCase(ADDRESS),
    fields: inEveryKind('address'),
    lists: (address, kind) => [{ of: 'token', address, ...(kind && { event: kind }) }],
    meaning:
      'Only events of this token contract, the one that emitted them. An address is `0x` and 40 hex digits, in any letter case; any other text of a legal length is valid, and no event has it.',
    exampleKind: 'TransferSingle',
    otherNames: ['contract', 'contractaddress', 'token', 'tokenaddress'],
  }),
  creator: roleFilter('creator', {
    meaning: 'Only events with this `creator`: Minted.',
    exampleKind: 'Minted',
  }),
  from: roleFilter('from', {
    meaning:
      'Only events with this `from`: TransferSingle and TransferBatch. A mint comes from the zero address.',
    exampleKind: 'TransferSingle',
    otherNames: ['sender'],
  }),
  initialOwner: roleFilter('initialOwner', {
    meaning: 'Only events with this `initialOwner`: Minted.',
    exampleKind: 'Minted',
  }),
  operator: roleFilter('operator', {
    meaning:
      'Only events with this `operator`, the account that made the transfer: TransferSingle and TransferBatch.',
    exampleKind: 'TransferSingle',
  }),
  owner: roleFilter('owner', {
    meaning:
      'Only events that give to this owner: `owner` of MintedBatch, `newOwner` of OwnershipTransferred.',
    exampleKind: 'MintedBatch',
    otherNames: ['newowner'],
  }),
  to: roleFilter('to', {
    meaning: 'Only events with this `to`: TransferSingle and TransferBatch. A burn goes to the zero address.',
    exampleKind: 'TransferSingle',
    otherNames: ['recipient', 'receiver'],
  }),
  network: filter({
    endpoints: ['user-events'],
    schema: oneOf(NETWORKS),
    fields: inEveryKind('network'),
    meaning: 'Only events on this network. Without it, events of all networks.',
    exampleKind: 'TransferSingle',
    otherNames: ['chain', 'chainid', 'chainname', 'networkid'],
  }),
  event: filter({
    endpoints: ['user-events', 'token-events'],
    schema: oneOf(EVENT_KINDS),
    fields: inEveryKind('event'),
    kindsOf: kind => [kind],
    meaning: 'Only events of this kind.',
    exampleKind: 'TransferSingle',
    otherNames: ['type', 'kind', 'eventname', 'eventtype', 'name'],
  }),
  transactionHash: filter<string>({
    endpoints: ['user-events', 'token-events'],
    schema: textOfLength(TRANSACTION_HASH_LENGTH),
    normalise: lowerCase(HASH),
    fields: inEveryKind('transactionHash'),
    lists: hash => [{ of: 'transaction', hash }],
    meaning:
      'Only events of this transaction: `0x` and 64 hex digits, in any letter case. Any other value is valid, and no event has it.',
    exampleKind: 'TransferSingle',
    otherNames: ['tx', 'txhash', 'hash', 'transaction'],
  }),
  blockNumber: filter<number>({
    endpoints: ['user-events', 'token-events'],
    schema: z.pipe(wholeNumber(BLOCK_NUMBER), z.transform(Number)),
    fields: inEveryKind('blockNumber'),
    lists: blockNumber => [{ of: 'block', blockNumber }],
    meaning: `Has two meanings, told apart by the value, and may be given once for each: a number from ${BLOCK_NUMBER.min} to ${BLOCK_NUMBER.max} returns only events of blocks with that number; \`asc\` or \`desc\` sorts by block number. Given twice, it does both. With \`createdAt\` too, equal times are sorted by block number in this direction. Events of blocks beyond the bound (on arbitrum) are returned and sorted as well; only this filter is bounded.`,
    exampleKind: 'TransferSingle',
    // A direction given to it sorts.
    otherNames: ['block', 'height', ...SORT_NAMES],
  }),
}

export type FilterName = keyof typeof FILTERS

/** What must hold for an event to be in the answer, each value as records have it. */
export type Filters = { [Name in FilterName]?: z.output<(typeof FILTERS)[Name]['schema']> }

export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

/** A row of the table where it does not matter which. */
export const filterOf = (name: FilterName) => FILTERS[name] as unknown as Filter<string | number>

export type FilterEntry = [name: FilterName, value: string | number]

/** What is asked for, in the order of the table. */
export const filterEntries = (filters: Filters): FilterEntry[] =>
  FILTER_NAMES.flatMap(name => {
    const value = filters[name]
    return value === undefined ? [] : [[name, value]]
  })
