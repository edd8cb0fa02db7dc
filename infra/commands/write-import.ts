/** `npm run write-import`: makes the files that DynamoDB makes a table of, for the first load of many events. */
import { storeFiles } from '../../lib/ingest/load-files.ts'
import { writeImport, writeImportedTimes } from '../../lib/store/write-import.ts'
import { withDisplay } from './load/load-with-display.ts'
import { summariseLoad } from './load/summarise-load.ts'
import { createCommand } from './shared/create-command.ts'

interface WriteImportOptions {
  out: string
  rejects?: string
}

/** What a shell reports of a program that Ctrl-C ended. */
const INTERRUPTED = 130

const HELP = `
The lines are those that npm run load takes, and the same are left out. Stopped, the command goes on where it was when it is run
again with the same files. How the table is made of what it writes: infra/README.md, "The first hundred million events".

Example:
  npm run write-import -- --out import logs/*.ndjson`

await createCommand('write-import', { required: ['out'], takesFiles: true })
  .description('Writes files of items from newline-delimited JSON logs, for DynamoDB to import from S3.')
  .argument('<file...>', 'files of logs, one JSON object a line')
  .option('--out <folder>', 'where to put them')
  .option('--rejects <file>', 'write all lines that are left out, with the reasons, to this file')
  .addHelpText('after', HELP)
  .action(run)
  .parseAsync()

async function run(files: string[], { out, rejects }: WriteImportOptions) {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const { signal } = stop
  try {
    const summary = await withDisplay({ doing: 'Writing', rejectsFile: rejects }, shown =>
      storeFiles(
        { files, signal, ...shown },
        {
          async storeEvents(records, onStored) {
            await writeImport({ folder: out, sources: files, signal, onStored }, records)
            return { writeUnits: 0 }
          },
          async storeBlockTimes(network, times) {
            await writeImportedTimes(out, network, times)
            return 0
          },
        },
      ),
    )
    console.log(summariseLoad(summary, 'written'))
  } catch (error) {
    console.error(signal.aborted ? 'Stopped; the same command goes on' : (error as Error).message)
    process.exitCode = signal.aborted ? INTERRUPTED : 1
  }
}
