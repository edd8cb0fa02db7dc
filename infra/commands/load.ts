/** `npm run load`: puts files of logs into a table, wherever it is. */
import { loadWithDisplay } from './load/load-with-display.ts'
import { summariseLoad } from './load/summarise-load.ts'
import { checkTable } from './shared/check-table.ts'
import { commandClient } from './shared/command-client.ts'
import { createCommand } from './shared/create-command.ts'
import { explainFailure } from './shared/explain-failure.ts'
import { parseUrl } from './shared/parse-options.ts'
import { stopRequest } from './shared/stop-request.ts'

interface LoadCommandOptions {
  table: string
  endpoint?: string
  region?: string
  rejects?: string
  strict: boolean
}

const HELP = `
A line has network, address, topics, data, blockNumber, blockHash, blockTimestamp (in Unix seconds), transactionHash and
logIndex of a log, integers as numbers or 0x strings.
A line that is no log of a known event, or contradicts an earlier line, is left out and reported. One that
contradicts what an earlier load has stored is not noticed: it is written over that event, and where parts of
both remain npm run verify finds them.
The exit code is 0 when all other lines were loaded.

Examples:
  npm run load -- --endpoint http://127.0.0.1:8000 --table events logs.ndjson
  npm run load -- --region eu-west-1 --table events --rejects rejects.txt logs/*.ndjson`

await createCommand('load', { required: ['table'], takesFiles: true })
  .description('Loads newline-delimited JSON logs into a table. Loading a line again changes nothing.')
  .argument('<file...>', 'files of logs, one JSON object a line')
  .option('--table <name>', 'the table to write')
  .option('--endpoint <url>', 'a DynamoDB outside AWS, or a certain endpoint of AWS', parseUrl)
  .option('--region <name>', 'AWS region (default: as the AWS tools find it)')
  .option('--rejects <file>', 'write all lines that are left out, with the reasons, to this file')
  .option('--strict', 'exit with 1 when lines were left out', false)
  .addHelpText('after', HELP)
  .action(load)
  .parseAsync()

async function load(files: string[], { table: tableName, ...options }: LoadCommandOptions) {
  const request = stopRequest()
  let stored = 0
  try {
    const client = await commandClient(options)
    await checkTable(client, tableName, { signal: request.stop })
    const summary = await loadWithDisplay({
      client,
      tableName,
      files,
      rejectsFile: options.rejects,
      signal: request.stop,
      onProgress: ({ events }) => {
        stored = events
      },
    })
    console.log(summariseLoad(summary))
    process.exitCode = options.strict && summary.rejected > 0 ? 1 : 0
  } catch (error) {
    const reason = request.stop.aborted ? 'Stopped' : explainFailure(error, { ...options, tableName })
    console.error(`${reason}${stored > 0 ? `; ${howToGoOn(stored)}` : ''}`)
    process.exitCode = request.exitCode || 1
  }
}

function howToGoOn(stored: number): string {
  return `the first ${stored} events are stored. The same command loads the rest and leaves those as they are.`
}
