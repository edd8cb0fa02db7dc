import { answerParsed } from '../../../lib/query/answer-query.ts'
import { type ParsedQuery, parseQuery } from '../../../lib/query/parse-query.ts'
import type { Plan } from '../../../lib/query/plan-query.ts'
import { SEED } from './generate-events.ts'
import { type Bench, competing } from './measure-shape.ts'
import { randomRequests } from './random-requests.ts'

export type CompetingMeasurement = Awaited<ReturnType<typeof measureCompeting>>[number]

const QUERIES = 40
/** A list that costs about this many times as much as the plan's read is not the best, so its read is aborted. */
const FAR_MORE = 2
const BODY_BYTES = 5_000_000

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
