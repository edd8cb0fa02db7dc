/** `npm run bench:attack` searches for the most expensive request that the interface allows. */
import { readRequest } from '../../../lib/kit/read-request.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import type { RequestCost } from '../../../lib/query/request-cost.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { generateEvents } from '../cost/generate-events.ts'
import { openTable } from '../cost/open-table.ts'
import { withCheckpoints } from '../cost/with-checkpoints.ts'
import { median, table, writeReport } from '../recorded/report.ts'
import { knownCandidates, randomCandidates } from './candidates.ts'

const SEED = 20_261_121
const RANDOM_REQUESTS = 600
const SHOWN = 12

interface Measured {
  request: string
  cost: RequestCost
}

await using opened = await openTable('cost', generateEvents)
const records = [...generateEvents()]
const store = withCheckpoints(createDynamoEventStore(opened), records)
const requests = [...knownCandidates(records), ...randomCandidates(RANDOM_REQUESTS, SEED)]
const measured: Measured[] = []
for (const request of new Set(requests))
  measured.push({ request, cost: (await answerQuery(readRequest(request), { store })).cost })

function report(): string[] {
  const byUnits = measured.toSorted((a, b) => b.cost.readUnits - a.cost.readUnits)
  const most = (of: (cost: RequestCost) => number) => Math.max(...measured.map(({ cost }) => of(cost)))
  return [
    '# The most expensive requests',
    `\`npm run bench:attack\` searches for the most expensive request that the service accepts. The benchmark sends ${measured.length} requests to a table of 122,000 generated events on dynalite, which emulates DynamoDB. These are the requests of [cost.md](cost.md), each with the largest page and with four values of \`skip\`, and requests with random filters on busy, quiet and unknown addresses (seed ${SEED}). Half of all requests cost at most ${median(byUnits.map(({ cost }) => cost.readUnits))} read units each. The highest values of all requests are ${most(cost => cost.readUnits)} read units, ${most(cost => cost.calls)} calls to the table, ${most(cost => cost.roundTrips)} round trips (parallel calls count as one), ${most(cost => cost.rowsExamined)} rows read or counted, and ${megabytes(most(cost => cost.bytes))} MB of records (as the service estimates them). The table shows the twelve requests that cost most.`,
    table(
      'request | read units | calls to the table | round trips | rows read or counted | MB of records',
      byUnits
        .slice(0, SHOWN)
        .map(({ request, cost: { readUnits, calls, roundTrips, rowsExamined, bytes } }) => [
          `\`${shortened(request)}\``,
          ...[readUnits, calls, roundTrips, rowsExamined, megabytes(bytes)],
        ]),
    ),
  ]
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

function shortened(request: string): string {
  return request.replace(/0x(aa|cc)0*([0-9a-f]*)/g, (_, kind, rank) => `0x${kind}…${rank || '0'}`)
}

await writeReport('attack', report())
