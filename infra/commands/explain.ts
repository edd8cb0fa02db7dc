/** `npm run explain`: prints the plan of a query and, with a table, the cost of the query. */
import { type Command, Option } from 'commander'
import { describePlan } from '../../lib/inspect/describe-plan.ts'
import { createCommand, refuseUseless } from '../../lib/kit/create-command.ts'
import { doTableReading, openTable, type TableOptions, withTableOptions } from '../../lib/kit/open-table.ts'
import { counted } from '../../lib/kit/printable.ts'
import { readRequest } from '../../lib/kit/read-request.ts'
import { type Answer, answerParsed } from '../../lib/query/answer-query.ts'
import { finalThroughOf } from '../../lib/query/indexed-through.ts'
import { parseQuery } from '../../lib/query/parse-query.ts'
import { createDynamoEventStore } from '../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../lib/store/reading/read-checkpoints.ts'

const HELP = `
Examples:
  npm run explain -- 'token-events?event=Minted&limit=5'
  npm run explain -- 'http://127.0.0.1:3000/v1/token-events?limit=5'
  npm run explain -- 'user-events/0x…?createdAt=asc' --endpoint http://127.0.0.1:8000 --table events`

await withTableOptions(createCommand('explain'), new Option('--table <name>', 'the table to query'))
  .description('Prints the plan of a query. With --table, also runs the query, and prints its cost.')
  .argument('<query>', 'path and query of a request, with or without the address of the service')
  .addHelpText('after', HELP)
  .action(explain)
  .parseAsync()

async function explain(text: string, options: Partial<TableOptions>, command: Command) {
  const { table: name } = options
  if (name === undefined) refuseUseless(command, ['endpoint', 'region'], '--table')
  await doTableReading(options, async () => {
    const input = readRequest(text)
    if (name === undefined) {
      console.log(describePlan(parseQuery({ ...input, networks: options.networks?.of }).plan).join('\n'))
      return
    }
    const table = await openTable({ ...options, table: name })
    const { networks: indexed } = await createCheckpointReader(table)()
    const answer = await answerParsed(parseQuery({ ...input, networks: table.networks }), {
      store: createDynamoEventStore(table),
      finalThrough: finalThroughOf(indexed),
    })
    // The plan is printed after the query has run, because the table's checkpoints can narrow the plan.
    console.log([...describePlan(answer.plan), describeCost(answer)].join('\n'))
  })
}

function describeCost({ records, next, isPartial, total, cost }: Answer): string {
  const { calls, roundTrips, rowsExamined, readUnits } = cost
  const more = isPartial ? ', and stopped at a limit of cost or size' : next ? ', and more follow' : ''
  return [
    `returned ${counted(records.length, 'event')}${more}`,
    ...(total
      ? [`counted ${total.isExact ? '' : 'at least '}${counted(total.count, 'matching event')}`]
      : []),
    `cost ${counted(readUnits, 'read unit')}: ${counted(calls, 'call')} in ${counted(roundTrips, 'round trip')}, ${counted(rowsExamined, 'row')} examined`,
  ].join('\n')
}
