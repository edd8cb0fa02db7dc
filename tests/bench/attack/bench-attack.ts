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
    '# The most expensive requests',
    `\`npm run bench:attack\` searches for the most expensive request that the service accepts. The benchmark sends ${costs.length} requests to a table of 122,000 generated events on dynalite, which emulates DynamoDB. These are the requests of [cost.md](cost.md), each with the largest page and with four values of \`skip\`, and requests with random filters on busy, quiet and unknown addresses (seed ${SEED}). Half of all requests cost at most ${median} read units each. The highest values of all requests are ${most(cost => cost.readUnits)} read units, ${most(cost => cost.calls)} calls to the table, ${most(cost => cost.roundTrips)} round trips (parallel calls count as one), ${most(cost => cost.rows)} rows read or counted, and ${most(cost => cost.megabytes).toFixed(1)} MB of records (as the service estimates them). The table shows the twelve requests that cost most.`,
    table(
      'request | read units | calls to the table | round trips | rows read or counted | MB of records',
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
