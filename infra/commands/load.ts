/** `npm run load`: loads files of logs into a table. */
import { Option } from 'commander'
import { loadWithDisplay } from '../../lib/ingest/load/load-with-display.ts'
import { type LogOptions, readLogOptions, withLogOptions } from '../../lib/ingest/load/log-options.ts'
import { damageIn, summariseLoad } from '../../lib/ingest/load/summarise-load.ts'
import { checkTableToRead, checkTableToWrite } from '../../lib/kit/check-table.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { doWorkUntilStopped } from '../../lib/kit/do-work.ts'
import { explainFailure } from '../../lib/kit/explain-failure.ts'
import { keptDaysOption, openTable, type TableOptions, withTableOptions } from '../../lib/kit/open-table.ts'
import { counted } from '../../lib/kit/printable.ts'
import { type LogFormat, logFormatOption } from '../../lib/kit/reporter.ts'

interface LoadCommandOptions extends LogOptions, TableOptions {
  rejects?: string
  strict: boolean
  changesKeptDays: number
  logFormat: LogFormat
}

const HELP = `
A log has the fields network, address, topics, data, blockNumber, blockHash, blockTimestamp (in Unix seconds),
transactionHash and logIndex; integers are numbers or 0x strings. A file contains one log per line, JSON lists of
logs, or the replies of nodes to eth_getLogs, plain or gzipped. A node's logs do not contain the network, and some also
lack the time: use --network for logs without a network, and --rpc or --blocks for logs without a time.
A line that is not a log of a known event, or that contradicts one of the 400,000 events before it, is left out and
reported. A log that contradicts a stored event overwrites that event and is not reported. If parts of the old event
remain, npm run verify finds them.
Without --strict, the exit code is 0 even if lines are left out, but 1 if a file is truncated or contains lines but no
event, or if a loaded event has a future time and other lines are left out because they contradict earlier lines.

Examples:
  npm run load -- --endpoint http://127.0.0.1:8000 --table events logs.ndjson
  npm run load -- --region eu-west-1 --table events --rejects rejects.txt logs/*.ndjson.gz
  npm run load -- --region eu-west-1 --table events --network base --rpc https://base.example reply.json`

const command = createCommand('load', { required: ['table'], takesFiles: true })
  .description('Loads files of logs into a table. Loading a log again changes nothing.')
  .argument('<file...>', 'files of logs')
await withLogOptions(withTableOptions(command, new Option('--table <name>', 'the table to write to')))
  .option('--rejects <file>', 'a file for all lines that are left out, each with the reason')
  .option('--strict', 'exit with code 1 if any line was left out', false)
  .addOption(keptDaysOption())
  .addOption(logFormatOption())
  .addHelpText('after', HELP)
  .action(load)
  .parseAsync()

async function load(files: string[], options: LoadCommandOptions): Promise<void> {
  const { logFormat, changesKeptDays, rejects: rejectsFile } = options
  let stored = 0
  const describe = (error: unknown, isStopped: boolean) => {
    const reason = isStopped ? 'Stopped' : explainFailure(error, options)
    const soFar = `Stored so far: ${counted(stored, 'event')}. To load the rest, run the same command again.`
    return { events: stored, message: stored > 0 ? `${reason}. ${soFar}` : reason }
  }
  await doWorkUntilStopped({ logFormat, describe }, async ({ request: { stop: signal }, reporter }) => {
    const table = await openTable({ ...options, signal }, checkTableToWrite)
    const reading = await readLogOptions(options, signal)
    const onProgress = ({ events }: { events: number }) => {
      stored = events
    }
    const summary = await loadWithDisplay(
      { ...table, files, ...reading, changesKeptDays, rejectsFile, signal, onProgress },
      reporter,
    )
    // The networks are checked again, because another writer may have recorded other networks during the load.
    await checkTableToRead(table.client, table.tableName, { signal, networks: { of: table.networks } })
    reporter.conclude({ event: 'loaded', ...summary, message: summariseLoad(summary) })
    const damage = damageIn(summary)
    for (const report of damage) reporter.tell(report)
    process.exitCode = damage.length > 0 || (options.strict && summary.rejected > 0) ? 1 : 0
  })
}
