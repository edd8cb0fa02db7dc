/** `npm run bench:scale` measures the cost of the usual queries as the table grows. */
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { positiveInteger } from '../../support/runner/test-size.ts'
import { openTable } from '../cost/open-table.ts'
import { writeReport } from '../recorded/write-report.ts'
import { generateHistory } from './generate-history.ts'
import { type Measured, measureQueries } from './measure-queries.ts'
import { reportScale } from './report-scale.ts'

const SIZES = (process.env.BENCH_SIZES || '10000,100000,1000000')
  .split(',')
  .flatMap(size => positiveInteger('BENCH_SIZES', size) ?? [])

const history = [...generateHistory(Math.max(...SIZES))]
const measured: Measured[] = []
for (const size of SIZES) {
  const records = history.slice(0, size)
  const table = await openTable(`scale-${size}`, () => records)
  try {
    const store = createDynamoEventStore(table)
    measured.push(...(await measureQueries({ store, table }, records)))
  } finally {
    await table.close()
  }
}
await writeReport('scale', reportScale(measured, SIZES))
