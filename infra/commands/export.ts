/** `npm run export`: writes all events that match a request to a file. */
import { Option } from 'commander'
import { openExportFile } from '../../lib/callers/export/export-file.ts'
import { exportWithDisplay } from '../../lib/callers/export/export-with-display.ts'
import { readExportRequest } from '../../lib/callers/export/read-export-request.ts'
import { type ExportFormat, HeaderChangedError } from '../../lib/client/create-events-client.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { doWorkUntilStopped } from '../../lib/kit/do-work.ts'
import { parseServiceUrl } from '../../lib/kit/parse-options.ts'
import { counted } from '../../lib/kit/printable.ts'
import { type LogFormat, logFormatOption } from '../../lib/kit/reporter.ts'
import { type AuthorizeOptions, withAuthorizeOptions } from '../../lib/kit/service-options.ts'
import { checkFolderOf } from '../../lib/kit/state-file.ts'
import { explainClientError } from '../../lib/kit/unreachable-reasons.ts'

interface ExportCommandOptions extends AuthorizeOptions {
  out: string
  format: ExportFormat
  service: string
  restart: boolean
  logFormat: LogFormat
}

const HELP = `
The command reads all pages, and ignores the limit of the request. It writes <file>.part and <file>.state, and renames
<file>.part to <file> when the export is complete. If a run stops early, run the command again: it continues there, and
writes nothing twice. In the default order, newest first, an export contains the events that were stored when it began.

Examples:
  npm run export -- 'token-events?event=Minted' --out minted.csv
  npm run export -- 'https://events.example.org/v1/user-events/0x…?network=base' --format ndjson --out user.ndjson`

const command = createCommand('export', { required: ['out'], takesFiles: true })
  .description('Writes all events that match a request to a file, as CSV or NDJSON.')
  .argument('<request>', 'path and query of a request, with or without the address of the service')
  .option('--out <file>', 'the file to write')
  .addOption(
    new Option('--format <name>', 'CSV with one row per token id, or NDJSON with one record per line')
      .choices(['csv', 'ndjson'])
      .default('csv'),
  )
  .option(
    '--service <url>',
    'address of the service, if the request does not include it',
    parseServiceUrl,
    'http://127.0.0.1:3000',
  )
  .option('--restart', 'discard what an earlier run wrote, and start over', false)
  .addOption(logFormatOption())
  .addHelpText('after', HELP)
  .action(exportEvents)
await withAuthorizeOptions(command).parseAsync()

async function exportEvents(text: string, options: ExportCommandOptions): Promise<void> {
  const { out, format, restart, logFormat } = options
  let written = 0
  const describe = (error: unknown, isStopped: boolean) => {
    if (error instanceof HeaderChangedError) return { message: `${error.message}: use --restart` }
    const reason = isStopped ? 'Stopped' : explainClientError(error)
    const soFar = `written so far: ${counted(written, 'event')}. To continue from there, run the same command again`
    return { events: written, message: written > 0 ? `${reason}; ${soFar}` : reason }
  }
  await doWorkUntilStopped({ logFormat, describe }, async ({ request: { stop: signal }, reporter }) => {
    const asked = readExportRequest(text, options.service)
    checkFolderOf(out)
    const file = openExportFile(out, { request: `${format} ${asked.text}`, restart })
    try {
      const exporting = { request: asked, format, caller: options, signal, reporter }
      if (!file.state.isComplete) await exportWithDisplay(file, exporting)
      file.finish()
    } finally {
      written = file.state.records
      file.close()
    }
    reporter.conclude({
      event: 'exported',
      file: out,
      events: written,
      message: `${counted(written, 'event')} ${written === 1 ? 'is' : 'are'} in ${out}`,
    })
  })
}
