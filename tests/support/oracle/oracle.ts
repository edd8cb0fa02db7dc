import type { EventRecord } from '../../../lib/events/record.ts'
import { type ApiRequest, limitOf, parameterOf, skipOf } from '../requests/api-request.ts'
import { ADDRESSES, offendingParameters, valuesOf } from './oracle-problems.ts'
import { momentOf, momentOfSecond } from './oracle-times.ts'

type OracleAnswer =
  | {
      status: 200
      events: EventRecord[]
      /** The events on all pages together, with `skip` 0. */
      all: EventRecord[]
      more: boolean
      /** The names that `X-Unmatchable` lists. */
      unmatchable: string[]
      format: string | undefined
    }
  | { status: 400; parameters: string[] }

/** The last final block of each network. */
export type Finality = Partial<Record<EventRecord['network'], number>>

/**
 * Computes the answer that the interface's rules require, by filtering, sorting and slicing an array. Cursors are
 * opaque, so the oracle ignores them, and tests compare later pages with slices of `all`.
 */
export function answer(
  records: readonly EventRecord[],
  request: ApiRequest,
  finality: Finality = {},
): OracleAnswer {
  const parameters = offendingParameters(request)
  if (parameters.length > 0) return { status: 400, parameters }
  const isFinal = ({ network, blockNumber }: EventRecord) => blockNumber <= (finality[network] ?? -1)
  const known = parameterOf(request, 'finalized') === 'true' ? records.filter(isFinal) : records
  const all = known.filter(record => matches(record, request)).toSorted(comparatorOf(request))
  const [skip, limit] = [skipOf(request), limitOf(request)]
  return {
    status: 200,
    events: all.slice(skip, skip + limit),
    all,
    more: all.length > skip + limit,
    unmatchable: unmatchableIn(request),
    format: parameterOf(request, 'format'),
  }
}

/**
 * Returns names in alphabetical order. A parameter with several values is included only if no event can have any of
 * these values. `address` can also mean the address in the path.
 */
function unmatchableIn({ address, query }: ApiRequest): string[] {
  const isNone = (name: string, form: RegExp) => {
    const values = valuesOf(query, name)
    return values.length > 0 && !values.some(value => form.test(value))
  }
  const isPathNone = address !== undefined && !ADDRESS.test(address)
  return [
    ...ADDRESSES.filter(name => isNone(name, ADDRESS) || (name === 'address' && isPathNone)),
    ...(isNone('transactionHash', HASH) ? ['transactionHash'] : []),
  ].toSorted()
}

const ADDRESS = /^0x[0-9a-f]{40}$/i
const HASH = /^0x[0-9a-f]{64}$/i

const USER_FIELDS = 'creator initialOwner owner operator from to previousOwner newOwner'.split(' ')

type Fields = Partial<Record<string, unknown>>

export function matches(record: EventRecord, { address, query }: ApiRequest): boolean {
  const names = [...new Set(query.map(([name]) => name))]
  return (
    (address === undefined || hasUser(record, address)) &&
    isOfBlock(record, { query }) &&
    names.every(name => valuesOf(query, name).some(value => holds(record, name, value)))
  )
}

export const hasUser = (record: EventRecord, address: string) =>
  USER_FIELDS.some(field => (record as Fields)[field] === address.toLowerCase())

/** Every record matches a parameter that does not filter. */
function holds(record: EventRecord, name: string, value: string): boolean {
  const fields: Fields = record
  switch (name) {
    case 'event':
    case 'network':
      return fields[name] === value
    case 'owner':
      return fields.owner === value.toLowerCase() || fields.newOwner === value.toLowerCase()
    case 'address':
    case 'transactionHash':
    case 'creator':
    case 'initialOwner':
    case 'operator':
    case 'from':
    case 'to':
      return fields[name] === value.toLowerCase()
    case 'tokenId':
      return [fields.tokenId, fields.tokenIds]
        .flat()
        .some(id => id !== undefined && BigInt(String(id)) === BigInt(value))
    case 'user':
      return hasUser(record, value)
    case 'fromBlock':
      return record.blockNumber >= Number(value)
    case 'toBlock':
      return record.blockNumber <= Number(value)
    case 'fromTime':
      return momentOfRecord(record) >= (momentOf(value, name) ?? 0n)
    case 'toTime':
      return momentOfRecord(record) <= (momentOf(value, name) ?? 0n)
    default:
      return true
  }
}

const momentOfRecord = ({ createdAt }: EventRecord) => momentOfSecond(Date.parse(createdAt) / 1000)

/** Ignores a direction in `blockNumber`, because it is not a filter. */
function isOfBlock({ blockNumber }: EventRecord, { query }: Pick<ApiRequest, 'query'>): boolean {
  const [asked] = valuesOf(query, 'blockNumber').filter(value => !isDirection(value))
  return asked === undefined || blockNumber === Number(asked)
}

const isDirection = (value: string | undefined) => value === 'asc' || value === 'desc'

export function comparatorOf({ query }: ApiRequest): (a: EventRecord, b: EventRecord) => number {
  const byTime = query.find(([name]) => name === 'createdAt')?.[1]
  const byBlock = query.find(([name, value]) => name === 'blockNumber' && isDirection(value))?.[1]
  const rest = ['blockNumber', 'network', 'logIndex'] as const
  if (byTime && byBlock) return inOrder([['createdAt'], byTime], [rest, byBlock])
  if (byBlock) return inOrder([rest, byBlock])
  return inOrder([['createdAt', ...rest], byTime ?? 'desc'])
}

type SortKey = 'createdAt' | 'blockNumber' | 'network' | 'logIndex'

function inOrder(...parts: [keys: readonly SortKey[], direction: string][]) {
  return (a: EventRecord, b: EventRecord): number => {
    for (const [keys, direction] of parts) {
      for (const key of keys) if (a[key] !== b[key]) return a[key] < b[key] === (direction === 'asc') ? -1 : 1
    }
    return 0
  }
}
