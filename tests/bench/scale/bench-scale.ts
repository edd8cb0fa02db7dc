/** `npm run bench:scale` measures the cost and the latency of the usual queries as the table grows. */
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { positiveInteger } from '../../support/runner/test-size.ts'
import { type BenchTable, openTable } from '../cost/open-table.ts'
import { writeReport } from '../recorded/write-report.ts'
import { generateHistory } from './generate-history.ts'
import { type MeasuredTable, measureRounds } from './measure-rounds.ts'
import { prepareQueries } from './prepare-queries.ts'
import { reportScale } from './report-scale.ts'

const ROUNDS = positiveInteger('BENCH_ROUNDS') ?? 9
const SIZES = (process.env.BENCH_SIZES ?? '10000,100000,1000000').split(',').map(Number)

const history = [...generateHistory(Math.max(...SIZES))]
const open: BenchTable[] = []
try {
  const tables: MeasuredTable[] = []
  for (const size of SIZES) {
    const records = history.slice(0, size)
    const table = await openTable(`scale-${size}`, () => records)
    open.push(table)
    const store = createDynamoEventStore(table)
    tables.push({ size, queries: await prepareQueries({ store, table }, records) })
  }
  const measured = await measureRounds(tables, ROUNDS)
  await writeReport('scale', reportScale(measured, { sizes: SIZES, rounds: ROUNDS }))
} finally {
  for (const { close } of open) await close()
}
