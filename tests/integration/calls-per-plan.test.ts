import { answerQuery } from '../../lib/query/answer-query.ts'
import { createDynamoEventStore } from '../../lib/store/reading/dynamo-event-store.ts'
import { queryInputOf } from '../support/query/query-input-of.ts'
import { eventSetOf, FIRST_KINDS } from '../support/records/arbitrary-records.ts'
import { shapesOf } from '../support/requests/plan-shapes.ts'
import { useEngine } from '../support/store/engine.ts'

const engine = useEngine()

test('each query takes so many calls to DynamoDB, in so many round trips', async () => {
  const records = eventSetOf({ blocks: 20, events: 6, crowd: 60, kinds: FIRST_KINDS }, 8)
  const tableName = await engine.createEventsTable(records)
  const store = createDynamoEventStore({ client: engine.reader, tableName })

  const rows: string[] = []
  for (const [name, request] of shapesOf(records)) {
    const { plan, cost } = await answerQuery(queryInputOf(request), { store })
    rows.push(`${name}: ${plan.read}, ${cost.calls} calls in ${cost.roundTrips} round trips`)
  }
  expect(rows.join('\n')).toMatchSnapshot()
})
