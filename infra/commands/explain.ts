/** `npm run explain`: prints the plan of a query and, with a table, the cost of the query. */
import type { Command } from 'commander'
import { describePlan } from '../../lib/inspect/describe-plan.ts'
import { checkTableToRead } from '../../lib/kit/check-table.ts'
import { commandClient } from '../../lib/kit/command-client.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { explainFailure } from '../../lib/kit/explain-failure.ts'
import { networksOption, type WantedNetworks } from '../../lib/kit/networks-option.ts'
import { parseUrl } from '../../lib/kit/parse-options.ts'
import { counted } from '../../lib/kit/printable.ts'
import { NoRequestError, readRequest } from '../../lib/kit/read-request.ts'
import { type Answer, answerParsed } from '../../lib/query/answer-query.ts'
import { InvalidQueryError, NotIndexedYetError } from '../../lib/query/errors.ts'
import { finalThroughOf } from '../../lib/query/indexed-through.ts'
import { parseQuery } from '../../lib/query/parse-query.ts'
import { createDynamoEventStore } from '../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../lib/store/reading/read-checkpoints.ts'

interface ExplainOptions {
  table?: string
  networks?: WantedNetworks
  endpoint?: string
  region?: string
}

const HELP = `
Examples:
  npm run explain -- 'token-events?event=Minted&limit=5'
  npm run explain -- 'http://127.0.0.1:3000/v1/token-events?limit=5'
  npm run explain -- 'user-events/0x…?createdAt=asc' --endpoint http://127.0.0.1:8000 --table events`

await createCommand('explain')
  .description('Prints the plan of a query. With a table, also runs the query, and prints its cost.')
  .argument('<query>', 'path and query of a request, with or without the address of the service')
  .option('--table <name>', 'the table to query')
  .option('--endpoint <url>', 'address of another DynamoDB than that of the region', parseUrl)
  .option('--region <name>', 'AWS region (default: that of the AWS tools)')
  .addOption(networksOption())
  .addHelpText('after', HELP)
  .action(explain)
  .parseAsync()

async function explain(text: string, { table: tableName, ...options }: ExplainOptions, command: Command) {
  const useless = Object.keys(options).find(name => name !== 'networks')
  if (tableName === undefined && useless) command.error(`error: --${useless} needs --table`)
  try {
    const input = readRequest(text)
    if (tableName === undefined) {
      console.log(describePlan(parseQuery({ ...input, networks: options.networks?.of }).plan).join('\n'))
      return
    }
    const client = await commandClient(options)
    const networks = await checkTableToRead(client, tableName, options)
    const table = { client, tableName, networks }
    const { networks: indexed } = await createCheckpointReader(table)()
    const answer = await answerParsed(parseQuery({ ...input, networks }), {
      store: createDynamoEventStore(table),
      finalThrough: finalThroughOf(indexed),
    })
    // The plan is printed after the query has run, because the table's checkpoints may narrow the plan.
    console.log([...describePlan(answer.plan), describeCost(answer)].join('\n'))
  } catch (error) {
    const isOfRequest =
      error instanceof InvalidQueryError ||
      error instanceof NotIndexedYetError ||
      error instanceof NoRequestError
    console.error(
      isOfRequest ? error.message : explainFailure(error, { ...options, tableName: tableName ?? '' }),
    )
    process.exitCode = 1
  }
}

function describeCost({ records, next, isPartial, total, cost }: Answer): string {
  const { calls, roundTrips, rowsExamined, readUnits } = cost
  const more = isPartial ? ', ended early by the reading budget' : next ? ', and more follow' : ''
  return [
    `returned ${counted(records.length, 'event')}${more}`,
    ...(total ? [`counted ${total.count}${total.isExact ? '' : ' or more'} that match`] : []),
    `cost ${counted(readUnits, 'read unit')}: ${counted(calls, 'call')} in ${counted(roundTrips, 'round trip')}, ${counted(rowsExamined, 'row')} examined`,
  ].join('\n')
}
