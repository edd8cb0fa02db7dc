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
import { NETWORKS, type Network } from '../events/networks.ts'
import { MAX_BLOCK_NUMBER } from '../events/place.ts'
import { type FieldsByKind, type Filter, fieldFilter, filter } from './filter-forms.ts'
import { compareInstants, firstSecondFrom, type Instant, instant, lastSecondTo } from './time-values.ts'
import { oneOf, textOfLength, tokenIdSchema, trueOrFalse, wholeNumber } from './value-schemas.ts'

export const BLOCK_NUMBER = { min: 1, max: 100_000_000 } as const
const BLOCK_OF_SPAN = { min: 0, max: MAX_BLOCK_NUMBER } as const
const USER_ADDRESS_LENGTH = { min: 42 } as const
const ADDRESS_LENGTH = { min: 35, max: 55 } as const
const TRANSACTION_HASH_LENGTH = { min: 66 } as const
/** The number of addresses is limited, because each contract's list is read separately. */
const MAX_ADDRESSES = 10

/** Names of sort parameters in other services. In this service, `createdAt` and `blockNumber` set the order. */
export const SORT_NAMES = ['sort', 'sortby', 'order', 'orderby', 'direction'] as const

const ADDRESS = /^0x[0-9a-f]{40}$/
const HASH = /^0x[0-9a-f]{64}$/

/** Accepts hex digits in any letter case, and converts them to lower case, as in records. */
const lowerCase = (pattern: RegExp) => (text: string) => {
  const lower = text.toLowerCase()
  return pattern.test(lower) ? lower : undefined
}

const same = <Value>(value: Value) => value

const BOTH = ['user-events', 'token-events'] as const

const inEveryKind = (...fields: string[]) => ofEachKind(() => fields)

/** Rows need no test, because the plan reads only the requested seconds. */
const END_OF_TIME_SPAN = { endpoints: BOTH, fields: inEveryKind('createdAt'), test: () => undefined } as const

const END_OF_BLOCK_SPAN = {
  endpoints: BOTH,
  schema: z.pipe(wholeNumber(BLOCK_OF_SPAN), z.transform(Number)),
  normalise: same<number>,
  fields: inEveryKind('blockNumber'),
} as const

const inKinds = (fields: Partial<Record<string, string>>): FieldsByKind =>
  Object.fromEntries(Object.entries(fields).map(([kind, field]) => [kind, [field]]))

const SEVERAL = 'Separate several values with commas, or repeat the parameter.'

const TIME_FORMS =
  'Write a date-time with its zone (`2024-04-01T12:00:00Z`; in a URL, write `%2B` for `+`), a date in UTC, or Unix seconds.'

/** Names of a time filter in other services: for `start`, these are `starttime`, `timestart`, `startdate`, … */
const timesOf = (word: string) =>
  ['time', 'date', 'timestamp', 'at'].flatMap(noun => [`${word}${noun}`, `${noun}${word}`])

/** Names of a block filter in other services: for `start`, these are `startblock`, `blockstart`, … */
const blocksOf = (word: string) =>
  ['block', 'blocknumber', 'height'].flatMap(noun => [`${word}${noun}`, `${noun}${word}`])

const quoted = (names: readonly string[]) => names.map(name => `\`${name}\``)

interface RoleWords {
  /** A further sentence about the role. */
  note?: string
  otherNames?: string[]
}

/** Every match is in the role's list and, if only one kind can match, also in the user's list of that kind. */
const roleFilter = (role: Role, { note = '', otherNames = [] }: RoleWords = {}) =>
  fieldFilter<string, string>({
    endpoints: ['token-events'],
    schema: textOfLength(ADDRESS_LENGTH),
    normalise: lowerCase(ADDRESS),
    fields: inKinds(ROLE_FIELDS[role]),
    lists: (address, { kind }) => [
      { of: 'user', address, role },
      ...(kind ? [{ of: 'user' as const, address, event: kind }] : []),
    ],
    meaning: `Only ${describeRole(role)}. ${note}`.trimEnd(),
    otherNames: [`${role.toLowerCase()}address`, ...otherNames],
  })

/** Returns a string such as "`Minted` events with this `creator`". */
function describeRole(role: Role): string {
  const byField = Map.groupBy(Object.entries(ROLE_FIELDS[role]), ([, field]) => field)
  const kindsOf = (rows: [kind: string, field: string][]) => quoted(rows.map(([kind]) => kind)).join(' and ')
  return [...byField].map(([field, rows]) => `${kindsOf(rows)} events with this \`${field}\``).join(', and ')
}

export const USER_IN_PATH = textOfLength(USER_ADDRESS_LENGTH)

/** All filters, in the order in which the documentation lists them. */
export const FILTERS = {
  address: fieldFilter<string, string>({
    endpoints: ['token-events', 'changes'],
    schema: textOfLength(ADDRESS_LENGTH),
    normalise: lowerCase(ADDRESS),
    maxValues: MAX_ADDRESSES,
    fields: inEveryKind('address'),
    lists: (address, { kind }) => [{ of: 'token', address, ...(kind && { event: kind }) }],
    meaning: `Only events emitted by this token contract, or by any of up to ${MAX_ADDRESSES} contracts. An address is \`0x\` and 40 hex digits, in any letter case. Any other string of a valid length is also accepted, but matches no event. If no address can match, \`X-Unmatchable\` names the parameter. ${SEVERAL}`,
    otherNames: [
      'contract',
      'contractaddress',
      'contractaddresses',
      'token',
      'tokenaddress',
      'tokenaddresses',
    ],
  }),
  user: fieldFilter<string, string>({
    // In user-events, the path contains the user.
    endpoints: ['token-events', 'changes'],
    schema: textOfLength(ADDRESS_LENGTH),
    normalise: lowerCase(ADDRESS),
    fields: USER_FIELDS,
    lists: (address, { kind }) => [{ of: 'user', address, ...(kind && { event: kind }) }],
    meaning: `Only events in which one of these fields is this user: ${quoted([...new Set(Object.values(USER_FIELDS).flat())]).join(', ')}. Each event is returned only once, even if several of its fields match. An address is \`0x\` and 40 hex digits, in any letter case. Any other string of a valid length is also accepted, but matches no event, and \`X-Unmatchable\` then names the parameter.`,
    otherNames: ['useraddress', 'wallet', 'walletaddress', 'account'],
  }),
  tokenId: fieldFilter<string, string>({
    endpoints: ['token-events'],
    schema: tokenIdSchema,
    normalise: same,
    needs: 'address',
    fields: inKinds(TOKEN_ID_FIELDS),
    lists: (tokenId, { token }) => (token === undefined ? [] : [{ of: 'token', address: token, tokenId }]),
    meaning:
      'Only events that involve this token id, alone or together with other ids, and in any quantity. The id is a uint256, in decimal digits or as `0x` and hex digits. A matching record is returned only once, with all its token ids. Requires `address`, because each contract has its own ids.',
    otherNames: ['id', 'tokenids', 'nftid', 'assetid', 'tokennumber'],
  }),
  creator: roleFilter('creator'),
  from: roleFilter('from', { note: 'In a mint, `from` is the zero address.', otherNames: ['sender'] }),
  initialOwner: roleFilter('initialOwner'),
  operator: roleFilter('operator', { note: 'The operator is the account that made the transfer.' }),
  owner: roleFilter('owner', { otherNames: ['newowner'] }),
  to: roleFilter('to', {
    note: 'In a burn, `to` is the zero address.',
    otherNames: ['recipient', 'receiver'],
  }),
  network: fieldFilter<Network, Network>({
    endpoints: [...BOTH, 'changes'],
    schema: oneOf(NETWORKS),
    normalise: same,
    maxValues: NETWORKS.length,
    fields: inEveryKind('network'),
    meaning: `Only events on this network, or on any of several networks. The default is all networks. ${SEVERAL}`,
    otherNames: ['chain', 'chainid', 'chainname', 'networkid'],
  }),
  event: fieldFilter<EventKind, EventKind>({
    endpoints: [...BOTH, 'changes'],
    schema: oneOf(EVENT_KINDS),
    normalise: same,
    maxValues: EVENT_KINDS.length,
    fields: inEveryKind('event'),
    allows: (events, kind) => events.includes(kind),
    isImplied: (events, { kinds }) => kinds.every(kind => events.includes(kind)),
    meaning: `Only events of this kind, or of any of several kinds. ${SEVERAL}`,
    otherNames: ['type', 'kind', 'eventname', 'eventtype', 'name'],
  }),
  transactionHash: fieldFilter<string, string>({
    endpoints: BOTH,
    schema: textOfLength(TRANSACTION_HASH_LENGTH),
    normalise: lowerCase(HASH),
    fields: inEveryKind('transactionHash'),
    lists: hash => [{ of: 'transaction', hash }],
    meaning:
      'Only events of the transaction with this hash, which is `0x` and 64 hex digits, in any letter case. Any other string of a valid length is also accepted, but matches no event, and `X-Unmatchable` then names the parameter.',
    otherNames: ['tx', 'txhash', 'hash', 'transaction'],
  }),
  fromTime: filter<Instant, number>({
    ...END_OF_TIME_SPAN,
    schema: instant('first'),
    normalise: firstSecondFrom,
    until: { name: 'toTime', compare: compareInstants },
    meaning: `Only events whose \`createdAt\` is this time or later; \`createdAt\` is the time of the block, not of indexing. ${TIME_FORMS} A date alone means its first second.`,
    example: '2024-04-01',
    otherNames: [
      ...['from', 'start', 'since', 'after', 'min', 'begin'].flatMap(timesOf),
      ...['since', 'after', 'createdatgte', 'createdatgt', 'timestampgte', 'timestampgt'],
    ],
  }),
  toTime: filter<Instant, number>({
    ...END_OF_TIME_SPAN,
    schema: instant('last'),
    normalise: lastSecondTo,
    meaning: `Only events whose \`createdAt\` is this time or earlier. ${TIME_FORMS} A date alone means its last second.`,
    example: '2030-12-31T23:59:59Z',
    otherNames: [
      ...['to', 'end', 'until', 'before', 'max'].flatMap(timesOf),
      ...['until', 'before', 'createdatlte', 'createdatlt', 'timestamplte', 'timestamplt'],
    ],
  }),
  fromBlock: filter<number, number>({
    ...END_OF_BLOCK_SPAN,
    test: ([from = 0], { isBlockGiven }) =>
      isBlockGiven
        ? undefined
        : { isMet: ({ blockNumber }) => from <= blockNumber, words: `blockNumber >= ${from}` },
    until: { name: 'toBlock', compare: (from, to) => from - to },
    meaning:
      'Only events of blocks with this number or a higher number, on all networks or on those that `network` names. Each network numbers its own blocks, so a range of blocks is usually meaningful only within one network.',
    example: 13_000_000,
    otherNames: [
      ...['from', 'start', 'since', 'after', 'min'].flatMap(blocksOf),
      ...['blocknumbergte', 'blocknumbergt', 'blockgte', 'blockgt'],
    ],
  }),
  toBlock: filter<number, number>({
    ...END_OF_BLOCK_SPAN,
    test: ([to = MAX_BLOCK_NUMBER], { isBlockGiven }) =>
      isBlockGiven
        ? undefined
        : { isMet: ({ blockNumber }) => blockNumber <= to, words: `blockNumber <= ${to}` },
    meaning:
      'Only events of blocks with this number or a lower number, on all networks or on those that `network` names.',
    example: 300_000_000,
    otherNames: [
      ...['to', 'end', 'until', 'before', 'max'].flatMap(blocksOf),
      ...['blocknumberlte', 'blocknumberlt', 'blocklte', 'blocklt'],
    ],
  }),
  finalized: filter<boolean, true>({
    endpoints: BOTH,
    schema: trueOrFalse,
    normalise: () => true,
    asks: isAsked => isAsked,
    fields: inEveryKind('network', 'blockNumber'),
    test: (_, { finalThrough }) => ({
      isMet: ({ network, blockNumber }) => blockNumber <= (finalThrough?.get(network) ?? -1),
      words: 'a final block',
    }),
    meaning:
      '`true` returns only events of blocks that can no longer leave their chain, according to the indexer, and `X-Finalized-Through` names the last such block. Events of a network are returned only if an indexer reports its final block; on a local stack, `npm start -- --live` runs an indexer. `false`, the default, returns all known events.',
    example: 'true',
    otherNames: ['final', 'finality', 'finalised', 'confirmed', 'confirmedonly', 'onlyfinalized', 'safe'],
  }),
  blockNumber: fieldFilter<number, number>({
    endpoints: BOTH,
    schema: z.pipe(wholeNumber(BLOCK_NUMBER), z.transform(Number)),
    normalise: same,
    fields: inEveryKind('blockNumber'),
    lists: blockNumber => [{ of: 'block', blockNumber }],
    meaning: `A number from ${BLOCK_NUMBER.min} to ${BLOCK_NUMBER.max} returns only events of blocks with that number, and \`asc\` or \`desc\` sorts by block number; you can send both a number and a direction. If you also send \`createdAt\`, events of equal time are sorted by block number in this direction. The limit of ${BLOCK_NUMBER.max} applies only to the filter: events of blocks with higher numbers, which exist on arbitrum, are still returned and sorted.`,
    // `blockNumber` is also a sort parameter, because its value can be a direction.
    otherNames: ['block', 'height', ...SORT_NAMES],
  }),
}

export type FilterName = keyof typeof FILTERS

/** A filter's values, in the form that records use. */
type ValuesOf<Name extends FilterName> = readonly NonNullable<
  ReturnType<(typeof FILTERS)[Name]['normalise']>
>[]

/** An event matches the query if, for every filter, it has at least one of the values. */
export type Filters = { [Name in FilterName]?: ValuesOf<Name> }

export type FilterValue = string | number | boolean

export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

/** Returns a row of `FILTERS`, for code that treats all filters alike. */
export const filterOf = (name: FilterName) => FILTERS[name] as unknown as Filter<unknown, FilterValue>

export type FilterEntry = [name: FilterName, values: readonly FilterValue[]]

export const filterEntries = (filters: Filters): FilterEntry[] =>
  FILTER_NAMES.flatMap(name => {
    const values = filters[name]
    return values === undefined ? [] : [[name, values]]
  })
