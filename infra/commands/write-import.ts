/** `npm run write-import`: writes files that DynamoDB can import into a new table. */
import { storeFiles } from '../../lib/ingest/load/load-files.ts'
import { withDisplay } from '../../lib/ingest/load/load-with-display.ts'
import { type LogOptions, readLogOptions, withLogOptions } from '../../lib/ingest/load/log-options.ts'
import { damageIn, summariseLoad } from '../../lib/ingest/load/summarise-load.ts'
import { lockImport, writeImport, writeImportedTimes } from '../../lib/ingest/load/write-import.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { doWorkUntilStopped } from '../../lib/kit/do-work.ts'
import { networksOption, type WantedNetworks } from '../../lib/kit/networks-option.ts'
import { type LogFormat, logFormatOption } from '../../lib/kit/reporter.ts'

interface WriteImportOptions extends LogOptions {
  out: string
  networks?: WantedNetworks
  rejects?: string
  logFormat: LogFormat
}

const HELP = `
The command accepts and leaves out the same lines as npm run load. If it was stopped, run it again with the same files and
options to continue. infra/deploying.md, "The first hundred million events", shows how to import the files.

Example:
  npm run write-import -- --out import logs/*.ndjson`

const command = createCommand('write-import', { required: ['out'], takesFiles: true })
  .description('Turns files of logs into files of items, which DynamoDB can import from S3.')
  .argument('<file...>', 'files of logs, in any form that npm run load accepts')
  .option('--out <folder>', 'the folder to write to')
await withLogOptions(command)
  .option('--rejects <file>', 'a file for all lines that are left out, each with the reason')
  .addOption(networksOption('all'))
  .addOption(logFormatOption())
  .addHelpText('after', HELP)
  .action(run)
  .parseAsync()

async function run(files: string[], { out, rejects, logFormat, ...options }: WriteImportOptions) {
  const describe = (error: unknown, isStopped: boolean) => ({
    message: isStopped ? 'Stopped; to continue, run the same command again' : (error as Error).message,
  })
  await doWorkUntilStopped({ logFormat, describe }, async ({ request: { stop: signal }, reporter }) => {
    const reading = await readLogOptions(options, signal)
    const networks = options.networks?.of
    const unlock = lockImport(out)
    const summary = await withDisplay(
      { doing: 'Writing', done: 'written', files, rejectsFile: rejects, reporter },
      shown =>
        storeFiles(
          { files, signal, networks, ...reading, ...shown },
          {
            async storeEvents(records, onStored) {
              await writeImport({ folder: out, networks, signal, onStored }, records)
              return { writeUnits: 0 }
            },
            async storeBlockTimes(network, times) {
              await writeImportedTimes(out, network, times)
              return 0
            },
          },
        ),
    ).finally(unlock)
    reporter.conclude({ event: 'written', ...summary, message: summariseLoad(summary, 'written') })
    const damage = damageIn(summary)
    for (const report of damage) reporter.tell(report)
    process.exitCode = damage.length > 0 ? 1 : 0
  })
}
