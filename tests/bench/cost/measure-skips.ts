import { readRequest } from '../../../lib/kit/read-request.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import type { QueryInput } from '../../../lib/query/parse-query.ts'
import { BUSY_TOKEN, BUSY_WALLET } from './generate-events.ts'
import type { Bench } from './measure-shape.ts'

/** The total cost of all requests for one skip. `roundTrips` is not a sum, but the maximum over these requests. */
export type SkipMeasurement = Awaited<ReturnType<typeof measureSkip>>

const SKIPS = [0, 1_000, 10_000, 100_000]
const QUERIES = [
  ['one list: busy wallet', `user-events/${BUSY_WALLET}`],
  ['competing lists: busy sender and busy token', `token-events?from=${BUSY_WALLET}&address=${BUSY_TOKEN}`],
  ['merge by time: all events', 'token-events'],
  ['merge by block: busy wallet', `user-events/${BUSY_WALLET}?blockNumber=desc`],
] as const

/** Continues with the cursor when the budget ends a request early. */
export async function measureSkips(bench: Pick<Bench, 'store'>): Promise<SkipMeasurement[]> {
  const measurements: SkipMeasurement[] = []
  for (const [name, request] of QUERIES) {
    for (const skip of SKIPS) measurements.push(await measureSkip({ name, request, skip }, bench))
  }
  return measurements
}

async function measureSkip(
  { name, request, skip }: { name: string; request: string; skip: number },
  { store }: Pick<Bench, 'store'>,
) {
  const query = readRequest(request)
  const measured = { name, skip, returned: 0, requests: 0, readUnits: 0, calls: 0, roundTrips: 0, bytes: 0 }
  let input: QueryInput = { ...query, parameters: [...query.parameters, ['skip', String(skip)]] }
  for (;;) {
    const { records, next, isPartial, cost } = await answerQuery(input, { store })
    measured.requests += 1
    measured.returned += records.length
    measured.readUnits += cost.readUnits
    measured.calls += cost.calls
    measured.roundTrips = Math.max(measured.roundTrips, cost.roundTrips)
    measured.bytes += cost.bytes
    if (!isPartial || next === undefined) return measured
    input = { ...query, parameters: [...query.parameters, ['cursor', next]] }
  }
}
