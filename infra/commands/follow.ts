/** `npm run follow`: keeps a copy of a service's events in SQLite or PostgreSQL. */
import { Option } from 'commander'
import { checkBalances } from '../../lib/callers/copies/follow/check-balances.ts'
import { followChanges, openWhenReachable } from '../../lib/callers/copies/follow/follow-changes.ts'
import { reportCheck, reportPages, reportTrouble } from '../../lib/callers/copies/follow/report-copy.ts'
import { type EventCopy, fileOf, openCopy } from '../../lib/callers/copies/open-copy.ts'
import { connectNode } from '../../lib/chain/nodes/chain-node.ts'
import { createEventsClient } from '../../lib/client/create-events-client.ts'
import { createOutagePauses } from '../../lib/client/create-outage-pauses.ts'
import type { EventKind } from '../../lib/events/event-kinds.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { parseServiceUrl, parseUrl } from '../../lib/kit/parse-options.ts'
import { counted } from '../../lib/kit/printable.ts'
import { createReporter, type LogFormat, logFormatOption } from '../../lib/kit/reporter.ts'
import { authorizeBy, type ChangesOptions, withChangesOptions } from '../../lib/kit/service-options.ts'
import { checkFolderOf } from '../../lib/kit/state-file.ts'
import { stopRequest } from '../../lib/kit/stop-request.ts'
import { explainClientError } from '../../lib/kit/unreachable-reasons.ts'

interface FollowCommandOptions extends ChangesOptions {
  to?: string
  out?: string
  rebuild: boolean
  check?: string
  once: boolean
  logFormat: LogFormat
}

const HELP = `
The command creates the tables "events", "transfers" and "balances". lib/callers/copies/README.md describes these
tables, and lib/callers/copies/queries.md has queries for them. After Ctrl-C, SIGTERM or a crash, run the command again
to continue where it stopped. If it was stopped for longer than the service keeps its log of removed events (30 days,
unless the operator sets another time), it rebuilds the copy. With --rebuild, it also replaces a copy that has other
events or another layout.
You can set PostgreSQL's password in PGPASSWORD, so that it does not appear in the list of processes.

Examples:
  npm run follow -- http://127.0.0.1:3000 --to sqlite:copy.sqlite
  npm run follow -- https://events.example.org --to postgres://events@127.0.0.1/events --network polygon --once
  npm run follow -- https://events.example.org --to sqlite:wallet.sqlite --user 0x1e0049783f008a0085193e00003d00cd54003c71`

/** The service's maximum page size. */
const CHANGES_A_PAGE = 500
/** The kinds of events that change balances. */
const TRANSFERS: readonly EventKind[] = ['TransferSingle', 'TransferBatch']

await withChangesOptions(createCommand('follow', { takesFiles: true }))
  .description(
    "Keeps a copy of a service's events in SQLite or PostgreSQL, and applies each of the service's changes to it.",
  )
  .argument('<url>', 'the address of the service, without /v1', parseServiceUrl)
  .option(
    '--to <database>',
    'sqlite:FILE, which is created if it does not exist, or postgres://USER@HOST:PORT/DATABASE',
  )
  .addOption(new Option('--out <file>', 'the same as --to sqlite:FILE').conflicts('to'))
  .option('--rebuild', 'replace the copy, even if it has other events or another layout', false)
  .option(
    '--check <rpc>',
    'when the copy is up to date, compare a sample of its balances with those that this node returns, and exit',
    parseUrl,
  )
  .option('--once', 'exit as soon as the copy is up to date', false)
  .addOption(logFormatOption())
  .addHelpText('after', HELP)
  .hook('preAction', command => {
    const options = command.opts<FollowCommandOptions>()
    if (!targetOf(options))
      command.error("error: required option '--to <database>' or '--out <file>' not specified")
    const { check, event = TRANSFERS } = options
    if (check !== undefined && !TRANSFERS.every(kind => event.includes(kind)))
      command.error(
        `error: --check needs all transfers: leave out --event, or name ${TRANSFERS.join(' and ')}`,
      )
  })
  .action(follow)
  .parseAsync()

async function follow(url: string, options: FollowCommandOptions) {
  const { network, event, address, user, rebuild, check, logFormat } = options
  const once = options.once || check !== undefined
  const target = targetOf(options)
  const request = stopRequest()
  // A second signal ends the command without waiting for the database, which can delay a statement indefinitely. The
  // copy loses nothing, because each page is one transaction.
  request.endAtOnce.addEventListener('abort', () => process.exit(request.exitCode))
  const reporter = createReporter(logFormat)
  const scope = { network: network?.toSorted(), event: event?.toSorted(), address: address?.toSorted(), user }
  const onTrouble = (error: Error) => {
    if (once) throw error
    reportTrouble(error, reporter)
  }
  const pauses = createOutagePauses({ signal: request.stop, onTrouble })
  let copy: EventCopy | undefined
  try {
    const client = createEventsClient(url, { authorize: await authorizeBy(options) })
    const file = fileOf(target)
    if (file !== undefined) checkFolderOf(file)
    const filters = Object.entries(scope).flatMap(([name, values]) => (values ? `${name}=${values}` : []))
    const source = [url.replace(/\/+$/, ''), ...filters].join(' ')
    // Before a copy is created or emptied, the service must answer, because its address may be mistyped.
    const beforeChange = () => client.changePage({ ...scope, limit: 1 }, { signal: request.stop })
    copy = await openWhenReachable(() => openCopy(target, { source, rebuild, beforeChange }), pauses)
    const newest = await followChanges({
      client,
      copy,
      query: { ...scope, limit: CHANGES_A_PAGE },
      once,
      signal: request.stop,
      onTrouble,
      ...reportPages(copy, reporter),
    })
    const events = await copy.count()
    reporter.conclude({
      event: 'followed',
      events,
      message: `${copy.name} has ${counted(events, 'event')}, and is up to date`,
    })
    if (check !== undefined) {
      const { indexedThrough } = newest ?? {}
      const node = connectNode(check)
      reportCheck(
        await checkBalances(copy, { node, indexedThrough, owner: user, signal: request.stop }),
        reporter,
      )
    }
  } catch (error) {
    const message = explainClientError(error)
    if (!request.stop.aborted) reporter.tell({ event: 'failed', level: 'error', message })
    else
      reporter.conclude({
        event: 'stopped',
        events: (await copy?.count().catch(() => 0)) ?? 0,
        message: 'Stopped; to continue, run the same command again',
      })
    process.exitCode = request.exitCode || 1
  } finally {
    await copy?.close()
  }
}

function targetOf({ to, out }: Pick<FollowCommandOptions, 'to' | 'out'>): string {
  return to ?? (out === undefined ? '' : `sqlite:${out}`)
}
