import { type Command, Option } from 'commander'
import type { EventTable } from '../store/event-table.ts'
import { DEFAULT_KEPT_DAYS } from '../store/writing/append-revision.ts'
import { checkTableToRead } from './check-table.ts'
import { commandClient } from './command-client.ts'
import { doReading } from './do-work.ts'
import { explainFailure } from './explain-failure.ts'
import { networksOption, type WantedNetworks } from './networks-option.ts'
import { fromVariable, parseEndpoint, wholeNumber } from './parse-options.ts'

export interface TableOptions {
  table: string
  networks?: WantedNetworks
  endpoint?: string
  region?: string
}

export const withTableOptions = (command: Command, table: Option): Command =>
  command
    .addOption(table)
    .addOption(
      fromVariable(
        'AWS_ENDPOINT_URL_DYNAMODB',
        new Option(
          '--endpoint <url>',
          "address of the DynamoDB endpoint to use instead of the region's",
        ).argParser(parseEndpoint),
      ),
    )
    .option('--region <name>', 'AWS region (default: the one that the AWS CLI uses)')
    .addOption(networksOption())

export const keptDaysOption = () =>
  new Option(
    '--changes-kept-days <number>',
    'number of days to keep changes, so that readers of the feed can pause for that long',
  )
    .argParser(wholeNumber(/^[1-9]\d{0,3}$/, 'days, from 1 to 9999'))
    .default(DEFAULT_KEPT_DAYS)

/** Connects to a table and checks it. Throws the errors of `check`. */
export async function openTable(
  { table: tableName, ...options }: TableOptions & { signal?: AbortSignal },
  check = checkTableToRead,
): Promise<EventTable> {
  const client = await commandClient(options)
  return { client, tableName, networks: await check(client, tableName, options) }
}

/** Like `doReading`, but explains why the table could not be reached or used. */
export const doTableReading = (options: Partial<TableOptions>, work: () => Promise<void>): Promise<void> =>
  doReading(work, error => explainFailure(error, options))
