/** `npm run bench:attack` searches for the most expensive request that the interface allows. */
import { readRequest } from '../../../lib/kit/read-request.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { generateEvents } from '../cost/generate-events.ts'
import { openTable } from '../cost/open-table.ts'
import { withCheckpoints } from '../cost/with-checkpoints.ts'
import { table } from '../recorded/statistics.ts'
import { writeReport } from '../recorded/write-report.ts'
import { knownCandidates, randomCandidates } from './candidates.ts'

const SEED = 20_261_121
const RANDOM_REQUESTS = 600
const SHOWN = 12

interface Cost {
  request: string
  readUnits: number
  calls: number
  roundTrips: number
  rows: number
  megabytes: number
}

const opened = await openTable('cost', generateEvents)
try {
  const records = [...generateEvents()]
  const store = withCheckpoints(createDynamoEventStore(opened), records)
  const requests = [...knownCandidates(records), ...randomCandidates(RANDOM_REQUESTS, SEED)]
  const costs: Cost[] = []
  for (const request of new Set(requests)) costs.push(await costOf(request))
  await writeReport('attack', reportOf(costs))

  async function costOf(request: string): Promise<Cost> {
    const { cost } = await answerQuery(readRequest(request), { store })
    const { readUnits, calls, roundTrips, rowsExamined, bytes } = cost
    return { request, readUnits, calls, roundTrips, rows: rowsExamined, megabytes: bytes / 1e6 }
  }
} finally {
  await opened.close()
}

function reportOf(costs: Cost[]): string[] {
  const byUnits = costs.toSorted((a, b) => b.readUnits - a.readUnits)
  const most = (of: (cost: Cost) => number) => Math.max(...costs.map(of))
  const median = byUnits[Math.floor(byUnits.length / 2)]?.readUnits ?? 0
  return [
    '# The most expensive request',
    `Written by \`npm run bench:attack\`: ${costs.length} expensive requests. These are the cost benchmark's requests, each with the largest page and every size of \`skip\`, and requests with random filters on busy, quiet and unknown addresses (seed ${SEED}). The embedded engine has 122,000 events. Half of the requests cost no more than ${median} read units. No request takes more than ${most(cost => cost.readUnits)} read units, ${most(cost => cost.calls)} calls, ${most(cost => cost.roundTrips)} round trips, ${most(cost => cost.rows)} rows or ${most(cost => cost.megabytes).toFixed(1)} MB of records (by the budget's estimate).`,
    table(
      'request | read units | calls | round trips | rows | MB',
      byUnits
        .slice(0, SHOWN)
        .map(({ request, readUnits, calls, roundTrips, rows, megabytes }) => [
          `\`${shortened(request)}\``,
          ...[readUnits, calls, roundTrips, rows, megabytes.toFixed(1)],
        ]),
    ),
  ]
}

function shortened(request: string): string {
  return request.replace(/0x(aa|cc)0*([0-9a-f]*)/g, (_, kind, rank) => `0x${kind}…${rank || '0'}`)
}
