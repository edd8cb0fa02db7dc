import fc from 'fast-check'
import { usersOf } from '../../../lib/events/lists.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { FILTER_NAMES, type FilterName, filterOf } from '../../../lib/query/filters.ts'
import { answer, type Finality } from '../oracle/oracle.ts'
import { offendingParameters } from '../oracle/oracle-problems.ts'
import { ADDRESS_POOL } from '../records/arbitrary-fields.ts'
import { type ApiRequest, type Endpoint, withoutParameters } from './api-request.ts'

/** Values of a valid length that match nothing, such as a base58 address or hex without a prefix. */
const UNMATCHABLE = ['1BoatSLRHtKNngkdXEeobR76b53LBbXZ8hQKpWTz5sm', 'ab'.repeat(27), `0x${'g'.repeat(40)}`]
const UNMATCHABLE_LONG = [`0x${'ab'.repeat(33)}`, 'g'.repeat(66), 'é'.repeat(3000)]

/** Where a filter's value comes from: the event that the request targets, another event, or no event. */
type Origin = 'none' | 'target' | 'stranger' | 'unmatchable'
const origin: fc.Arbitrary<Origin> = fc.oneof(
  { weight: 70, arbitrary: fc.constant('none' as const) },
  { weight: 26, arbitrary: fc.constant('target' as const) },
  { weight: 3, arbitrary: fc.constant('stranger' as const) },
  { weight: 1, arbitrary: fc.constant('unmatchable' as const) },
)

const direction = fc.constantFrom(undefined, 'asc', 'desc')
const letterCase = fc.constantFrom<LetterCase>('lower', 'upper', 'mixed')
const zeros = fc.constantFrom('', '', '', '0', '000')

/** Computes the skip from the number of matches, because a skip close to this number is an edge case of paging. */
const skip = fc.oneof(
  { weight: 6, arbitrary: fc.constant(() => undefined) },
  { weight: 4, arbitrary: fc.constantFrom(-1, 0, 1).map(edge => (total: number) => total + edge) },
  { weight: 4, arbitrary: fc.nat(1000).map(part => (total: number) => Math.floor((total * part) / 1000)) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 2 ** 53 - 1).map(size => () => size) },
)
const limit = fc.oneof(
  { weight: 6, arbitrary: fc.constant(() => undefined) },
  { weight: 4, arbitrary: fc.constantFrom(-1, 0, 1).map(edge => (rest: number) => rest + edge) },
  { weight: 4, arbitrary: fc.constantFrom(1, 2, 3, 7, 50, 499, 500, 501).map(size => () => size) },
  { weight: 1, arbitrary: fc.constant(() => 10n ** 30n) },
)

/**
 * Valid requests of every kind for these events. Most filters of a request take their values from one event, so that
 * the request matches something. The parameters are in any order, and each value has any of its valid forms.
 */
export function requestsOn(records: readonly EventRecord[], finality: Finality = {}) {
  return fc.constantFrom<Endpoint>('user-events', 'token-events').chain(endpoint =>
    choices(records).map(chosen => {
      const drawn: Drawn = { ...chosen, finality }
      const filters = filtersOf(endpoint).flatMap((name, index) =>
        filterPair(name, chosen.origins[index] ?? 'none', drawn),
      )
      const address = spell(userOf(drawn), drawn.letterCase)
      const whole = withoutOffence({
        endpoint,
        ...(endpoint === 'user-events' && { address }),
        query: [...filters, ...pairs({ createdAt: chosen.createdAt, blockNumber: chosen.blockNumber })],
      })
      const query = [...whole.query, ...window(records, whole, drawn), ...pairs({ count: chosen.count })]
      return { ...whole, query: shuffle(query, chosen.order) }
    }),
  )
}

function choices(records: readonly EventRecord[]) {
  const event = records.length > 0 ? fc.constantFrom(...records) : fc.constant(undefined)
  return fc.record({
    target: event,
    stranger: event,
    origins: fc.array(origin, { minLength: FILTER_NAMES.length, maxLength: FILTER_NAMES.length }),
    spelling: fc.nat(5),
    count: fc.constantFrom(undefined, undefined, undefined, 'true', 'false'),
    /** A filter that accepts several values takes additional values from these events. */
    others: fc.array(event, { maxLength: 3 }),
    user: fc.nat(),
    isUserUnmatchable: fc.nat(40).map(drawn => drawn === 40),
    letterCase,
    zeros,
    createdAt: direction,
    blockNumber: direction,
    skip,
    limit,
    order: fc.array(fc.nat(), { minLength: 25, maxLength: 25 }),
  })
}

type Choices = ReturnType<typeof choices> extends fc.Arbitrary<infer Chosen> ? Chosen : never
type Drawn = Choices & { finality: Finality }

export const inAnyFormat = (requests: fc.Arbitrary<ApiRequest>): fc.Arbitrary<ApiRequest> =>
  fc
    .record({
      request: requests,
      format: fc.constantFrom(undefined, undefined, undefined, 'json', 'ndjson', 'csv'),
      at: fc.nat(20),
    })
    .map(({ request, format, at }) => ({
      ...request,
      query: request.query.toSpliced(at, 0, ...pairs({ format })),
    }))

/** Removes parameters whose valid values are invalid in combination, for example the two ends of a time span. */
function withoutOffence(request: ApiRequest): ApiRequest {
  return { ...request, query: withoutParameters(request.query, ...offendingParameters(request)) }
}

function filterPair(name: FilterName, origin: Origin, drawn: Drawn): ApiRequest['query'] {
  if (origin === 'none') return []
  const value = origin === 'unmatchable' ? unmatchable(name) : valueIn(drawn[origin], name, drawn)
  if (value === undefined) return []
  if (name === 'tokenId') return [[name, spellTokenId(value, drawn)]]
  if (filterOf(name).maxValues !== undefined) return listed(name, value, drawn)
  if (name === 'fromTime' || name === 'toTime') return [[name, spellTime(name, value, drawn.spelling)]]
  const isNumber = /block/i.test(name)
  return [[name, isNumber ? `${drawn.zeros}${value}` : spell(value, drawn.letterCase)]]
}

/** The parameters contain this value and perhaps others, in one list or in repeated parameters. */
function listed(name: FilterName, value: string, drawn: Drawn): ApiRequest['query'] {
  const { others, letterCase, spelling } = drawn
  const more = others.flatMap(record => valueIn(record, name, drawn) ?? [])
  const values = [value, ...more].map(each => spell(each, letterCase))
  return spelling % 2 === 0 ? [[name, values.join(',')]] : values.map(each => [name, each])
}

function unmatchable(name: FilterName): string | undefined {
  if (name === 'transactionHash') return UNMATCHABLE_LONG[0]
  if (name === 'tokenId') return String(2n ** 200n)
  if (name === 'fromTime' || name === 'toTime') return '1969-12-31T23:59:59.000Z'
  // `true` matches nothing if no network has final blocks.
  if (name === 'finalized') return 'true'
  if (name === 'fromBlock') return '999999999999'
  return ['event', 'network', 'blockNumber', 'toBlock'].includes(name) ? undefined : UNMATCHABLE[0]
}

export const filtersOf = (endpoint: Endpoint): FilterName[] =>
  FILTER_NAMES.filter(name => filterOf(name).endpoints.includes(endpoint))

/** If the record has several values, the drawn number `user` selects one of them. */
function valueIn(record: EventRecord | undefined, name: FilterName, { finality, user }: Drawn) {
  if (!record) return undefined
  if (name === 'finalized') return String(record.blockNumber <= (finality[record.network] ?? -1))
  const fields = filterOf(name).fields[record.event] ?? []
  const values = fields.flatMap(field => (record as unknown as Record<string, unknown>)[field])
  const valid = values.filter(value => name !== 'blockNumber' || isBlockNumber(Number(value))).map(String)
  return valid[user % valid.length]
}

/** Events can have other block numbers, but the filter accepts only these. */
const isBlockNumber = (value: number) => 1 <= value && value <= 100_000_000

function userOf({ target, user, isUserUnmatchable }: Drawn): string {
  if (isUserUnmatchable) return UNMATCHABLE_LONG[user % UNMATCHABLE_LONG.length] ?? ''
  const users = target ? usersOf(target) : []
  const pool = users.length > 0 ? users : ADDRESS_POOL
  return pool[user % pool.length] ?? ADDRESS_POOL[0]
}

function spellTokenId(id: string, { spelling, zeros }: Drawn): string {
  const hex = BigInt(id).toString(16)
  return [`${zeros}${id}`, `0x${zeros}${hex}`, `0x${zeros}${hex.toUpperCase()}`][spelling % 3] ?? id
}

/** Writes a time in one of the valid notations, as the first or last second of a span. */
function spellTime(name: 'fromTime' | 'toTime', createdAt: string, spelling: number): string {
  const seconds = Date.parse(createdAt) / 1000
  const local = (hours: number, decimals: string) =>
    new Date((seconds + 3600 * hours) * 1000).toISOString().replace('.000Z', decimals)
  switch (spelling) {
    case 0:
      return createdAt
    case 1:
      return seconds > 0 ? String(seconds) : createdAt
    case 2:
      return local(2, '+02:00')
    case 3:
      return createdAt.slice(0, 10)
    case 4:
      return name === 'toTime' ? local(-5, '.750-05:00') : local(0, '.000000z').replace('T', 't')
    default:
      return local(name === 'toTime' ? 0 : 1, name === 'toTime' ? '.5Z' : '.0+01:00')
  }
}

type LetterCase = 'lower' | 'upper' | 'mixed'

/** Changes the letters in an address or a hash, except the `x` of the prefix. Leaves other values unchanged. */
function spell(value: string, letterCase: LetterCase): string {
  if (!/^0x[0-9a-f]+$/.test(value) || letterCase === 'lower') return value
  const isUpper = (index: number) => letterCase === 'upper' || index % 3 === 0
  return value.replace(/[a-f]/g, (letter, index) => (isUpper(index) ? letter.toUpperCase() : letter))
}

function window(records: readonly EventRecord[], whole: ApiRequest, drawn: Drawn): ApiRequest['query'] {
  const answered = answer(records, whole, drawn.finality)
  const total = answered.status === 200 ? answered.all.length : 0
  const skipped = drawn.skip(total)
  const wanted = drawn.limit(total - Math.min(skipped ?? 0, total))
  const number = (value: number | bigint | undefined, least: number) =>
    value === undefined || value < least ? undefined : `${drawn.zeros}${value}`
  return pairs({ skip: number(skipped, 0), limit: number(wanted, 1) })
}

const pairs = (values: Record<string, string | undefined>): ApiRequest['query'] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))

const shuffle = (query: ApiRequest['query'], order: number[]): ApiRequest['query'] =>
  query
    .map((pair, index) => ({ pair, by: order[index] ?? 0 }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ pair }) => pair)
