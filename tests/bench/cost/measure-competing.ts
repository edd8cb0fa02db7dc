import type { EventRecord } from '../../../lib/events/record.ts'
import { answerParsed } from '../../../lib/query/answer-query.ts'
import { type FilterName, filterOf } from '../../../lib/query/filters.ts'
import { type ParsedQuery, parseQuery, type QueryInput } from '../../../lib/query/parse-query.ts'
import type { Plan } from '../../../lib/query/plan-query.ts'
import { createRandom } from '../../support/records/random.ts'
import { filtersOf } from '../../support/requests/arbitrary-requests.ts'
import { SEED } from './generate-events.ts'
import { type Bench, competing } from './measure-shape.ts'

export type CompetingMeasurement = Awaited<ReturnType<typeof measureCompeting>>[number]

const QUERIES = 40
/** A list that costs about this many times as much as the plan's read is not the best, so its read is aborted. */
const FAR_MORE = 2
const BODY_BYTES = 5_000_000
const ORDERS = [
  ['createdAt', 'desc'],
  ['createdAt', 'asc'],
  ['blockNumber', 'desc'],
  ['blockNumber', 'asc'],
] as const

export async function measureCompeting(bench: Bench) {
  const measurements: { readUnits: number; best: number }[] = []
  for (const input of randomRequests(bench.records, SEED)) {
    const parsed = parseQuery(input)
    const { plan } = parsed
    const count = competing(plan).length
    if (count < 2) continue
    const readUnits = await costOf(parsed, bench)
    let best = FAR_MORE * (readUnits + 1)
    for (let index = 0; index < count; index += 1) {
      best = Math.min(best, await costOf({ ...parsed, plan: onlyList(plan, index) }, bench, best))
    }
    measurements.push({ readUnits, best })
    if (measurements.length === QUERIES) break
  }
  return measurements
}

/** The read units of the first page, or infinity if the page needs more than `most`. */
async function costOf(parsed: ParsedQuery, { store }: Bench, most = Number.POSITIVE_INFINITY) {
  const limits = { readUnits: most, roundTrips: Number.POSITIVE_INFINITY, bodyBytes: BODY_BYTES }
  const { cost, isPartial } = await answerParsed(parsed, { store, limits })
  return isPartial ? Number.POSITIVE_INFINITY : cost.readUnits
}

function onlyList<P extends Plan>(plan: P, index: number): P {
  if (plan.read === 'nothing') return plan
  if (plan.read === 'lists') return { ...plan, lists: plan.lists.slice(index, index + 1) }
  if (plan.read === 'merge') return { ...plan, parts: plan.parts.map(part => onlyList(part, index)) }
  return { ...plan, source: onlyList(plan.source as Plan, index) }
}

/** Each request has at most four filters, which all match the same random record. */
function* randomRequests(records: readonly EventRecord[], seed: number): Generator<QueryInput> {
  const random = createRandom(seed)
  for (;;) {
    const record = random.pick(records)
    const endpoint = random.pick(['user-events', 'token-events', 'token-events'] as const)
    const isUser = endpoint === 'user-events'
    const offered = filtersOf(endpoint).flatMap(name =>
      valuesIn(record, name).map(value => [name, value] as const),
    )
    const order = random.pick(ORDERS)
    const count = random.pick(isUser ? [1, 2, 3] : [2, 3, 4])
    const chosen: typeof offered = []
    while (chosen.length < count && offered.length > 0)
      chosen.push(...offered.splice(random.below(offered.length), 1))
    // Some filters need another one. For example, `tokenId` requires `address`.
    const given = new Set<string | undefined>(chosen.map(([name]) => name))
    const whole = chosen.filter(([name]) => given.has(filterOf(name).needs ?? name))
    const [user = ''] = valuesIn(record, 'user')
    yield { endpoint, parameters: [order, ...whole], ...(isUser && { user }) }
  }
}

function valuesIn(record: EventRecord, name: FilterName): string[] {
  const filter = filterOf(name)
  // Omits spans, because a span that starts or ends at the record's block would alone decide which list is read.
  const [field = ''] = (filter.isImplied && filter.fields[record.event]) || []
  const value = (record as Readonly<Record<string, unknown>>)[field]
  const text = String(value)
  return value !== undefined && filter.schema.safeParse(text).success ? [text] : []
}
