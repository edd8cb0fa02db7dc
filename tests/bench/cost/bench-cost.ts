/** `npm run bench:cost` measures each query's read units, and compares them with the minimum and a filtering scan. */
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { writeReport } from '../recorded/report.ts'
import { generateEvents } from './generate-events.ts'
import { knownLists } from './known-lists.ts'
import { measureChanges } from './measure-changes.ts'
import { measureCompeting } from './measure-competing.ts'
import { measureItems } from './measure-items.ts'
import { measureShape } from './measure-shape.ts'
import { measureSkips } from './measure-skips.ts'
import { openTable } from './open-table.ts'
import { reportCost } from './report-cost.ts'
import { shapesOf } from './shapes.ts'
import { withCheckpoints } from './with-checkpoints.ts'

await using table = await openTable('cost', generateEvents)
const records = [...generateEvents()]
const store = withCheckpoints(createDynamoEventStore(table), records)
const bench = { store, records, lists: knownLists(records) }
const measurements = []
for (const shape of shapesOf(records)) measurements.push(...(await measureShape(shape, bench)))
const competing = await measureCompeting(bench)
const skips = await measureSkips(bench)
const changes = await measureChanges({ ...bench, table })
const report = reportCost({ ...(await measureItems()), measurements, competing, skips, changes })
await writeReport('cost', report)
