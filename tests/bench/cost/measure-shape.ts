import { isDeepStrictEqual } from 'node:util'
import { ROLES } from '../../../lib/events/event-kinds.ts'
import type { EventList } from '../../../lib/events/lists.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { readRequest } from '../../../lib/kit/read-request.ts'
import { type Answer, answerQuery } from '../../../lib/query/answer-query.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import { parseQuery, type QueryInput } from '../../../lib/query/parse-query.ts'
import type { ListChoice, Plan } from '../../../lib/query/plan-query.ts'
import type { Query } from '../../../lib/query/query.ts'
import { answer as oracleAnswer } from '../../support/oracle/oracle.ts'
import { type KnownLists, readUnits, scanUnits } from './known-lists.ts'
import type { Shape } from './shapes.ts'

export type Measurement = Awaited<ReturnType<typeof measure>>

export interface Bench {
  store: EventStore
  records: EventRecord[]
  lists: KnownLists
}

/** The offset of the deep page in records. If few records match, the deep page starts halfway through them. */
const FAR_IN = 4000
const NO_LIMITS = { readUnits: Infinity, roundTrips: Infinity, bodyBytes: 5_000_000 }

/** Also measures a deep page if the answer is long enough. */
export async function measureShape({ name, request }: Shape, bench: Bench): Promise<Measurement[]> {
  const input = readRequest(request)
  const expected = expectedRecords(input, bench.records)
  const first = await measure({ name, page: 'first', input, from: 0, expected }, bench)
  const from = Math.min(FAR_IN, Math.floor(expected.length / 2))
  if (from < parseQuery(input).start.limit) return [first]
  const farInput = await goOnAfter(from, input, bench)
  return [first, await measure({ name, page: 'deep', input: farInput, from, expected }, bench)]
}

/** Adds the cursor that continues after this many records. */
export async function goOnAfter(records: number, input: QueryInput, { store }: Pick<Bench, 'store'>) {
  const { parameters } = input
  const others = parameters.filter(([name]) => name !== 'limit')
  const skipping: QueryInput = {
    ...input,
    parameters: [...others, ['skip', String(records - 1)], ['limit', '1']],
  }
  const { next = '' } = await answerQuery(skipping, { store, limits: NO_LIMITS })
  return { ...input, parameters: [...parameters, ['cursor', next]] } satisfies QueryInput
}

export function expectedRecords({ endpoint, user, parameters }: QueryInput, records: readonly EventRecord[]) {
  const query = parameters.map(([name, value]): [string, string] => [name, value])
  const expected = oracleAnswer(records, { endpoint, ...(user && { address: user }), query })
  if (expected.status !== 200) throw new TypeError('The requests of the benchmark must be valid')
  return expected.all
}

interface Asked {
  name: string
  input: QueryInput
  /** The page begins after this many of the expected records. */
  from: number
  expected: EventRecord[]
}

/** Throws if the answer differs from the expected page, or leads to a next page if there is none. */
export async function answerExactly({ name, input, from, expected }: Asked, { store }: Pick<Bench, 'store'>) {
  const answer = await answerQuery(input, { store })
  const { records, next, isPartial } = answer
  const { limit } = parseQuery(input).start
  const ids = records.map(({ id }) => id)
  const page = expected.slice(from, from + (isPartial ? ids.length : limit)).map(({ id }) => id)
  const hasNext = isPartial || expected.length > from + limit
  if (!isDeepStrictEqual(ids, page) || (next !== undefined) !== hasNext)
    throw new Error(`A wrong answer to “${name}”: ${JSON.stringify({ ids, next, isPartial })}`)
  return answer
}

async function measure(asked: Asked & { page: 'first' | 'deep' }, bench: Bench) {
  const { name, page, input, from, expected } = asked
  const answer = await answerExactly(asked, bench)
  const { plan, cost, records } = answer
  const { query, start } = parseQuery(input)
  const matching = new Set(expected)
  const scan = {
    order: query.order,
    want: start.limit + 1,
    skip: from,
    isMatch: (record: EventRecord) => matching.has(record),
  }
  const choices = competing(plan)
  return {
    name,
    page,
    plan: planName(plan),
    returned: records.length,
    examined: cost.rowsExamined,
    readUnits: cost.readUnits,
    calls: cost.calls,
    roundTrips: cost.roundTrips,
    floor: floorOf(answer, expected[from + records.length], bench.lists),
    /** The read units of the best competing list, when only this list is read. */
    bestSingle:
      choices.length < 2
        ? undefined
        : Math.min(...choices.map(({ list }) => scanUnits({ list, ...scan }, bench.lists))),
    /** The read units of a filtering read of the most obvious list. */
    baseline: plan.read === 'nothing' ? 0 : scanUnits({ list: obviousList(query), ...scan }, bench.lists),
  }
}

/** Includes the record after the page, because a read needs this record to know whether another page follows. */
function floorOf({ plan, records }: Answer, next: EventRecord | undefined, lists: KnownLists): number {
  if (plan.read === 'nothing') return 0
  return readUnits(
    [...records, ...(next ? [next] : [])].reduce((sum, record) => sum + lists.bytes(record), 0),
  )
}

/** The lists among which each read chooses. For a merge, these are the lists of its first part. */
export function competing(plan: Plan): ListChoice[] {
  if (plan.read === 'nothing') return []
  if (plan.read === 'lists') return plan.lists
  return plan.read === 'merge' ? (plan.parts[0]?.lists ?? []) : competing(plan.source)
}

function planName(plan: Plan): string {
  const lists = competing(plan)
  if (plan.read === 'nothing') return 'nothing'
  const rows =
    lists.length > 1
      ? 'competing lists'
      : lists.some(({ where }) => where.length > 0)
        ? 'one list, filtered'
        : 'one list'
  if (plan.read === 'lists') return rows
  if (plan.read === 'merge') return `merge by ${plan.by}${lists.length > 1 ? ', competing' : ''}`
  if (plan.read === 'ties-reversed')
    return plan.source.read === 'merge' ? 'ties reversed, merge' : 'ties reversed'
  return 'block runs'
}

/** The list that a service with only an index by user and an index by token would read and filter. */
function obviousList({ filters }: Query): EventList {
  if (filters === 'unmatchable') return { of: 'all' }
  const [someone] = (['user', ...ROLES] as const).flatMap(name => filters[name] ?? [])
  const [token] = filters.address ?? []
  if (token !== undefined) return { of: 'token', address: token }
  return someone === undefined ? { of: 'all' } : { of: 'user', address: someone }
}
