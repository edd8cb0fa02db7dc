import * as z from 'zod/mini'
import {
  EVENT_KINDS,
  type EventKind,
  ofEachKind,
  ROLE_FIELDS,
  type Role,
  TOKEN_ID_FIELDS,
  USER_FIELDS,
} from '../events/event-kinds.ts'
import type { EventList } from '../events/lists.ts'
import { NETWORKS, type Network } from '../events/networks.ts'
import { MAX_BLOCK_NUMBER } from '../events/place.ts'
import type { Resource } from './endpoint.ts'
import { compareInstants, firstSecondFrom, instant, lastSecondTo } from './time-values.ts'
import { tokenIdSchema } from './token-id.ts'
import { oneOf, textOfLength, trueOrFalse, wholeNumber } from './value-schemas.ts'

/** What every filter has; `Given` is a value as its schema reads it, `Value` as events are compared with it. */
interface FilterWords<Given, Value> {
  /** What has it as a query parameter. */
  endpoints: readonly Resource[]
  /** The values that are valid, read from one text. */
  schema: z.ZodMiniType<Given, string>
  /** Undefined for a valid value that no record can have. */
  normalise: (given: Given) => Value | undefined
  /** Several values may be given, so many different ones at most, of which an event must have one; otherwise one. */
  maxValues?: number
  /** Whether a value asks for anything; one that doesn't is as good as none. */
  asks?: (given: Given) => boolean
  /** The filter without which it means nothing. */
  needs?: string
  /** What it means to a caller. */
  meaning: string
  /** An example for the documentation, where no record's field is one. */
  example?: string | number
  /** What other services call it, in lower case and without `_` and `-`. */
  otherNames: readonly string[]
}

/** What else is asked for, as far as lists depend on it. */
export interface AskedBeside {
  /** The only kind that can match, where there is just one. */
  kind: EventKind | undefined
  /** The token contract, where just one is asked for. */
  token: string | undefined
}

/** What the fields of an event are compared with. */
export interface FieldFilter<Given, Value> extends FilterWords<Given, Value> {
  /**
   * By kind of event, the fields of which at least one must have the value, or hold it where it is a list. No
   * event of another kind matches.
   */
  fields: Partial<Record<EventKind, readonly string[]>>
  /** For a filter that selects kinds: those that it lets through. */
  kindsOf?: (value: Value) => readonly EventKind[]
  /** Lists that hold every match. */
  lists?: (value: Value, beside: AskedBeside) => EventList[]
  /** The kind of event whose record gives the documentation its example. */
  exampleKind: EventKind
}

/** One end of a span of seconds or of blocks, which belongs to it. */
interface SpanFilter<Given> extends FilterWords<Given, number> {
  spanOf: 'seconds' | 'blocks'
  end: 'from' | 'to'
  /** Of the beginning: what ends the span, and which of two values comes first. */
  until?: { name: 'toTime' | 'toBlock'; compare: (from: Given, to: Given) => number }
}

/** That the blocks of events can no longer leave their chain. */
interface FinalityFilter<Given, Value> extends FilterWords<Given, Value> {
  isOfFinality: true
}

/**
 * One thing that can be asked of an event. Reading a request, planning it, testing rows, the hints for
 * misspelt names and the OpenAPI document go through the table of these.
 */
type Filter<Given, Value> = FieldFilter<Given, Value> | SpanFilter<Given> | FinalityFilter<Given, Value>

const fieldFilter = <Given, Value>(row: FieldFilter<Given, Value>) => row
const spanFilter = <Given>(row: SpanFilter<Given>) => row
const finalityFilter = <Given, Value>(row: FinalityFilter<Given, Value>) => row

export const BLOCK_NUMBER = { min: 1, max: 100_000_000 } as const
const BLOCK_OF_SPAN = { min: 0, max: MAX_BLOCK_NUMBER } as const
const USER_ADDRESS_LENGTH = { min: 42 } as const
const ADDRESS_LENGTH = { min: 35, max: 55 } as const
const TRANSACTION_HASH_LENGTH = { min: 66 } as const
/** Each token's list is read by itself. */
const MAX_ADDRESSES = 10

/** Sorting is by `createdAt` or by `blockNumber`. */
export const SORT_NAMES = ['sort', 'sortby', 'order', 'orderby', 'direction'] as const

const ADDRESS = /^0x[0-9a-f]{40}$/
const HASH = /^0x[0-9a-f]{64}$/

/** Hex matches in any letter case, and stands in records in lower case. */
const lowerCase = (pattern: RegExp) => (text: string) => {
  const lower = text.toLowerCase()
  return pattern.test(lower) ? lower : undefined
}

const same = <Value>(value: Value) => value

const BOTH = ['user-events', 'token-events'] as const

const END_OF_BLOCK_SPAN = {
  endpoints: BOTH,
  schema: z.pipe(wholeNumber(BLOCK_OF_SPAN), z.transform(Number)),
  normalise: same<number>,
  spanOf: 'blocks',
} as const

const inEveryKind = (field: string) => ofEachKind(() => [field])

const SEVERAL = 'Several are given in a list with commas, or one by one.'

const TIME_FORMS =
  'A date-time with its zone (`2024-04-01T12:00:00Z`; in a URL `%2B` for `+`), a date (UTC) or Unix seconds.'

/** What a beginning or an end is called: `start` is `starttime`, `startdate`, … */
const timesOf = (word: string) =>
  ['time', 'date', 'timestamp', 'at'].flatMap(noun => [`${word}${noun}`, `${noun}${word}`])

/** The same of blocks: `startblock`, `blockstart`, … */
const blocksOf = (word: string) =>
  ['block', 'blocknumber', 'height'].flatMap(noun => [`${word}${noun}`, `${noun}${word}`])

interface RoleWords {
  meaning: string
  exampleKind: EventKind
  otherNames?: string[]
}

/** A user in one role: in its own list, or among all that the user does in the one kind that can match. */
const roleFilter = (role: Role, { otherNames = [], ...words }: RoleWords) =>
  fieldFilter<string, string>({
    endpoints: ['token-events'],
    schema: textOfLength(ADDRESS_LENGTH),
    normalise: lowerCase(ADDRESS),
    fields: Object.fromEntries(Object.entries(ROLE_FIELDS[role]).map(([kind, field]) => [kind, [field]])),
    lists: (address, { kind }) => [
      { of: 'user', address, role },
      ...(kind ? [{ of: 'user' as const, address, event: kind }] : []),
    ],
    otherNames,
    ...words,
  })

/** The address in the path of user-events. */
export const USER_IN_PATH = textOfLength(USER_ADDRESS_LENGTH)

/** All filters, in the order in which the documentation has them. */
export const FILTERS = {
  address: fieldFilter<string, string>({
    endpoints: ['token-events', 'changes'],
    schema: textOfLength(ADDRESS_LENGTH),
    normalise: lowerCase(ADDRESS),
    maxValues: MAX_ADDRESSES,
    fields: inEveryKind('address'),
    lists: (address, { kind }) => [{ of: 'token', address, ...(kind && { event: kind }) }],
    meaning: `Only events of this token contract, the one that emitted them, or of one of several, ${MAX_ADDRESSES} at most. An address is \`0x\` and 40 hex digits, in any letter case; any other text of a legal length is valid, no event has it, and \`X-Unmatchable\` says so. ${SEVERAL}`,
    exampleKind: 'TransferSingle',
    otherNames: ['contract', 'contractaddress', 'token', 'tokenaddress'],
  }),
  user: fieldFilter<string, string>({
    // Of user-events it stands in the path.
    endpoints: ['token-events', 'changes'],
    schema: textOfLength(ADDRESS_LENGTH),
    normalise: lowerCase(ADDRESS),
    fields: USER_FIELDS,
    lists: (address, { kind }) => [{ of: 'user', address, ...(kind && { event: kind }) }],
    meaning:
      'The user’s address: `0x` and 40 hex digits, in any letter case. Matches every event in which the user is `creator`, `initialOwner`, `owner`, `operator`, `from`, `to`, `previousOwner` or `newOwner`; each event is returned once. Any other text of a legal length is valid, has no events, and `X-Unmatchable` says so.',
    exampleKind: 'TransferSingle',
    otherNames: ['useraddress', 'wallet', 'walletaddress', 'account'],
  }),
  tokenId: fieldFilter<string, string>({
    endpoints: ['token-events'],
    schema: tokenIdSchema,
    normalise: same,
    needs: 'address',
    fields: Object.fromEntries(Object.entries(TOKEN_ID_FIELDS).map(([kind, field]) => [kind, [field]])),
    lists: (tokenId, { token }) => (token === undefined ? [] : [{ of: 'token', address: token, tokenId }]),
    meaning:
      'Only events that move, mint or burn this token of the contract, alone or among others, in whichever quantity: a uint256 in decimal digits, or `0x` and hex digits. The record is returned whole and once. Needs `address`, for each contract counts its own ids.',
    exampleKind: 'TransferSingle',
    otherNames: ['id', 'tokenids', 'nftid', 'assetid', 'tokennumber'],
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
  network: fieldFilter<Network, Network>({
    endpoints: [...BOTH, 'changes'],
    schema: oneOf(NETWORKS),
    normalise: same,
    maxValues: NETWORKS.length,
    fields: inEveryKind('network'),
    meaning: `Only events on this network, or on one of several. Without it, events of all networks. ${SEVERAL}`,
    exampleKind: 'TransferSingle',
    otherNames: ['chain', 'chainid', 'chainname', 'networkid'],
  }),
  event: fieldFilter<EventKind, EventKind>({
    endpoints: [...BOTH, 'changes'],
    schema: oneOf(EVENT_KINDS),
    normalise: same,
    maxValues: EVENT_KINDS.length,
    fields: inEveryKind('event'),
    kindsOf: kind => [kind],
    meaning: `Only events of this kind, or of one of several. ${SEVERAL}`,
    exampleKind: 'TransferSingle',
    otherNames: ['type', 'kind', 'eventname', 'eventtype', 'name'],
  }),
  transactionHash: fieldFilter<string, string>({
    endpoints: BOTH,
    schema: textOfLength(TRANSACTION_HASH_LENGTH),
    normalise: lowerCase(HASH),
    fields: inEveryKind('transactionHash'),
    lists: hash => [{ of: 'transaction', hash }],
    meaning:
      'Only events of this transaction: `0x` and 64 hex digits, in any letter case. Any other value is valid, no event has it, and `X-Unmatchable` says so.',
    exampleKind: 'TransferSingle',
    otherNames: ['tx', 'txhash', 'hash', 'transaction'],
  }),
  fromTime: spanFilter({
    endpoints: BOTH,
    schema: instant('first'),
    normalise: firstSecondFrom,
    spanOf: 'seconds',
    end: 'from',
    until: { name: 'toTime', compare: compareInstants },
    meaning: `Only events whose \`createdAt\`, the time of their block and never that of indexing, is this or later. ${TIME_FORMS} A date alone is its first second.`,
    example: '2024-04-01',
    otherNames: [
      ...['from', 'start', 'since', 'after', 'min', 'begin'].flatMap(timesOf),
      ...['since', 'after', 'createdatgte', 'createdatgt', 'timestampgte', 'timestampgt'],
    ],
  }),
  toTime: spanFilter({
    endpoints: BOTH,
    schema: instant('last'),
    normalise: lastSecondTo,
    spanOf: 'seconds',
    end: 'to',
    meaning: `Only events whose \`createdAt\` is this or earlier. ${TIME_FORMS} A date alone is its last second.`,
    example: '2030-12-31T23:59:59Z',
    otherNames: [
      ...['to', 'end', 'until', 'before', 'max'].flatMap(timesOf),
      ...['until', 'before', 'createdatlte', 'createdatlt', 'timestamplte', 'timestamplt'],
    ],
  }),
  fromBlock: spanFilter<number>({
    ...END_OF_BLOCK_SPAN,
    end: 'from',
    until: { name: 'toBlock', compare: (from, to) => from - to },
    meaning:
      'Only events of blocks with this number or a higher one, on whichever network; with `network`, on those. Networks count their blocks by themselves, so a span of blocks mostly makes sense on one.',
    example: 13_000_000,
    otherNames: [
      ...['from', 'start', 'since', 'after', 'min'].flatMap(blocksOf),
      ...['blocknumbergte', 'blocknumbergt', 'blockgte', 'blockgt'],
    ],
  }),
  toBlock: spanFilter<number>({
    ...END_OF_BLOCK_SPAN,
    end: 'to',
    meaning: 'Only events of blocks with this number or a lower one, on whichever network.',
    example: 300_000_000,
    otherNames: [
      ...['to', 'end', 'until', 'before', 'max'].flatMap(blocksOf),
      ...['blocknumberlte', 'blocknumberlt', 'blocklte', 'blocklt'],
    ],
  }),
  finalized: finalityFilter<boolean, true>({
    endpoints: BOTH,
    schema: trueOrFalse,
    normalise: () => true,
    asks: isAsked => isAsked,
    isOfFinality: true,
    meaning:
      '`true`: only events of blocks that can no longer leave their chain, as far as an indexer knows; `X-Finalized-Through` tells how far that is. Networks of which no indexer knows have none. `false`, as without it: all events that are known.',
    example: 'true',
    otherNames: ['final', 'finality', 'finalised', 'confirmed', 'confirmedonly', 'onlyfinalized', 'safe'],
  }),
  blockNumber: fieldFilter<number, number>({
    endpoints: BOTH,
    schema: z.pipe(wholeNumber(BLOCK_NUMBER), z.transform(Number)),
    normalise: same,
    fields: inEveryKind('blockNumber'),
    lists: blockNumber => [{ of: 'block', blockNumber }],
    meaning: `Has two meanings, told apart by the value, and may be given once for each: a number from ${BLOCK_NUMBER.min} to ${BLOCK_NUMBER.max} returns only events of blocks with that number; \`asc\` or \`desc\` sorts by block number. Given twice, it does both. With \`createdAt\` too, equal times are sorted by block number in this direction. Events of blocks beyond the bound (on arbitrum) are returned and sorted as well; only this filter is bounded.`,
    exampleKind: 'TransferSingle',
    // A direction given to it sorts.
    otherNames: ['block', 'height', ...SORT_NAMES],
  }),
}

export type FilterName = keyof typeof FILTERS

/** The values of a filter, as records have them. */
type ValuesOf<Name extends FilterName> = readonly NonNullable<
  ReturnType<(typeof FILTERS)[Name]['normalise']>
>[]

/** What must hold for an event to be in the answer: of each filter's values, one. */
export type Filters = { [Name in FilterName]?: ValuesOf<Name> }

export type FilterValue = string | number | boolean

export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

/** A row of the table where it does not matter which. */
export const filterOf = (name: FilterName) => FILTERS[name] as unknown as Filter<unknown, FilterValue>

export type FilterEntry = [name: FilterName, values: readonly FilterValue[]]

/** What is asked for, in the order of the table. */
export const filterEntries = (filters: Filters): FilterEntry[] =>
  FILTER_NAMES.flatMap(name => {
    const values = filters[name]
    return values === undefined ? [] : [[name, values]]
  })
