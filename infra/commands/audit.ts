/** `npm run audit`: compares the events of a table or a service with the chain. */
import { Option } from 'commander'
import { type AuditProgress, exitCodeOf } from '../../lib/audit/audit-progress.ts'
import { checkSameAudit, openAuditState } from '../../lib/audit/command/audit-state.ts'
import { auditWithDisplay, concludeAudit, withFailure } from '../../lib/audit/command/audit-with-display.ts'
import {
  type AuditOptions,
  type AuditSignals,
  type OpenedAudit,
  openAudit,
} from '../../lib/audit/command/open-audit.ts'
import { doubtOfChanges, recordAudit } from '../../lib/audit/record-audit.ts'
import { ConnectionError } from '../../lib/client/create-events-client.ts'
import { NETWORKS } from '../../lib/events/networks.ts'
import { createCommand, refuseUseless } from '../../lib/kit/create-command.ts'
import { doWorkUntilStopped } from '../../lib/kit/do-work.ts'
import { explainFailure } from '../../lib/kit/explain-failure.ts'
import { keptDaysOption, withTableOptions } from '../../lib/kit/open-table.ts'
import {
  addAddress,
  addUrl,
  parseBlock,
  parseChainId,
  parseCount,
  parseServiceUrl,
} from '../../lib/kit/parse-options.ts'
import { type LogFormat, logFormatOption, type Reporter } from '../../lib/kit/reporter.ts'
import { withAuthorizeOptions } from '../../lib/kit/service-options.ts'
import { checkFolderOf } from '../../lib/kit/state-file.ts'
import { explainClientError } from '../../lib/kit/unreachable-reasons.ts'
import type { EventTable } from '../../lib/store/event-table.ts'

interface AuditCommandOptions extends AuditOptions {
  state?: string
  logFormat: LogFormat
}

/** The exit code if there is no verdict, for example because an option is mistyped or a node is unreachable. */
const NOTHING_PROVEN = 2

/** The options that apply only to an audit of a table, and those that apply only to an audit of a service. */
const OF_TABLE = ['endpoint', 'region', 'networks', 'scan', 'changesKeptDays']
const OF_SERVICE = ['token', 'sign']

/** Why an audit without a difference cannot store the last audited block, and what to do. */
const NOT_MOVED = {
  'other-chain': ({ tableName }: EventTable) =>
    `a node and the checkpoint in the table ${tableName} have different blocks with the same number. If the chain was reorganised, run the indexer, and then this command again with the same --state. Otherwise, remove the node from --rpc`,
  'other-difference': ({ tableName }: EventTable) =>
    `another audit has recorded a difference in the table ${tableName} since this audit began. Start a new audit (with another --state file)`,
}

const HELP = `
A block's header commits to all logs of the block. The audit uses the header's Bloom filter to prove that a block has
no events, or the block's receipts to prove which events it has. It compares each proven event, field by field, with what
the service returns or, in a table, with each stored copy of the event. It reports each block that it cannot prove, and
the reason.

The exit code is 0 if every block is proven, and no difference is left. It is 1 if a difference is left.
It is 2 if no difference is left but a block is not proven or the result is in doubt, or if something cannot be read.

Examples:
  npm run audit -- --network polygon --rpc https://one.example --rpc https://two.example --table events --state audit.state
  npm run audit -- --network base --rpc https://base.example --service https://events.example.org --contract 0x… \\
    --from-block 30000000 --sample 1000`

const command = createCommand('audit', { required: ['network', 'rpc'], takesFiles: true })
  .description('Compares the events of a table or of any service with the chain, block by block.')
  .addOption(new Option('--network <name>', 'the network').choices(NETWORKS))
  .option(
    '--rpc <url>',
    'JSON-RPC address of a node; may be repeated, and all nodes must agree on the last block',
    addUrl,
  )
  .option(
    '--chain-id <number>',
    "the chain id that nodes must have (default: the network's, or a development node's)",
    parseChainId,
  )

withTableOptions(command, new Option('--table <name>', 'the table to audit').conflicts('service'))
  .option(
    '--service <url>',
    'the address of a running service to audit instead of a table, without /v1',
    parseServiceUrl,
  )
  .option(
    '--contract <address>',
    "only events of this contract; may be repeated (default: the indexer's contracts, or all for a service)",
    addAddress,
  )
  .option('--erc721', "also expect ERC-721 transfers (default: only if the table's indexer indexes them)")
  .option(
    '--from-block <number>',
    "the first block to audit (default: the indexer's first block, or 0 for a service)",
    parseBlock,
  )
  .option(
    '--to-block <number>',
    'the last block to audit (default: the newest block that is both final and indexed)',
    parseBlock,
  )
  .option(
    '--state <file>',
    'a file that stores the progress, so that running the same command again continues the audit',
  )
  .option('--sample <number>', 'audit only this many random blocks of the range', parseCount)
  .option('--no-scan', "look up each event's items instead of reading the whole table at the end")
  .option('--repair', 'store missing events, and remove events that are not on the chain', false)
  .addOption(keptDaysOption())
  .addOption(logFormatOption())
  .addHelpText('after', HELP)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : NOTHING_PROVEN))
  .action(audit)
await withAuthorizeOptions(command).parseAsync()

async function audit(options: AuditCommandOptions): Promise<void> {
  checkOptions(options)
  const { state, logFormat } = options
  const explain = (failure: unknown) =>
    failure instanceof ConnectionError ? explainClientError(failure) : explainFailure(failure, options)
  const goOn = state ? '; to continue, run the same command again' : ''
  const describe = (error: unknown, isStopped: boolean) => ({
    message: isStopped ? `Stopped${goOn}` : explain(error),
  })
  const working = { logFormat, describe, failureCode: NOTHING_PROVEN }
  await doWorkUntilStopped(working, async ({ request: { stop: signal, endAtOnce }, reporter }) => {
    const progress = await auditAs(options, { signal, endAtOnce, reporter, explain })
    process.exitCode = concludeAudit(progress, reporter)
  })
}

function checkOptions({ table, service, repair, fromBlock, toBlock }: AuditCommandOptions) {
  if (!table && !service) command.error('error: specify --table <name> or --service <url>')
  if (repair && !table)
    command.error('error: --repair requires --table, because only a table can be repaired')
  if (fromBlock !== undefined && toBlock !== undefined && toBlock < fromBlock) {
    command.error(`error: --to-block ${toBlock} is before --from-block ${fromBlock}`)
  }
  if (service) refuseUseless(command, OF_TABLE, '--table')
  else refuseUseless(command, OF_SERVICE, '--service')
}

interface Auditing extends AuditSignals {
  reporter: Reporter
  explain: (failure: unknown) => string
}

async function auditAs(options: AuditCommandOptions, auditing: Auditing): Promise<AuditProgress> {
  const { state: file } = options
  if (file) checkFolderOf(file)
  const state = file ? openAuditState(file) : undefined
  try {
    const stored = state?.read()
    const opened = await openAudit(options, { stored, ...auditing })
    const { table, signal } = opened.run
    const doubtOf = async (audited: AuditProgress) => table && doubtOfChanges(audited, { table, signal })
    if (stored && file) checkSameAudit(file, stored, opened.wanted)
    tellUnreached(opened, auditing)
    // If blocks have changed since an earlier run compared them, the audit can no longer reach a verdict.
    const change = stored && !stored.isChecked ? await doubtOf(stored) : undefined
    if (change !== undefined) throw new Error(change)
    const progress = await auditWithDisplay({ ...opened, state, ...auditing })
    try {
      const doubt = await doubtOf(progress)
      if (doubt !== undefined) return { ...progress, doubts: [...progress.doubts, doubt] }
      const isDone = await tellMove(progress, { ...opened, ...auditing })
      // Without `since` in the state, a later run only prints the summary, and does not try again to store the audited
      // block.
      if (isDone && exitCodeOf(progress) === 0) state?.write({ ...progress, since: undefined })
      return progress
    } catch (error) {
      return withFailure(error, progress, { ...opened, state, ...auditing })
    }
  } finally {
    state?.close()
  }
}

/**
 * Warns if the audit ends below a recorded difference, for example because a killed repair has lowered the checkpoint.
 */
function tellUnreached({ begun: { plan }, indexState }: OpenedAudit, { reporter }: Auditing): void {
  const { network, toBlock } = plan
  const { differentBlock = -1 } = indexState ?? {}
  if (differentBlock <= toBlock) return
  const message = `${network}: this audit ends at block ${toBlock}, so it does not reach block ${differentBlock}, in which an earlier audit found a difference. If an interrupted repair is the reason, run the indexer, and then this command again`
  reporter.tell({ event: 'not-reached', level: 'warn', network, blockNumber: differentBlock, message })
}

/**
 * Stores the last audited block in the table, and reports it. Does nothing without a table or an indexer's state.
 * Resolves with false if this run could not store the block, but a later run may.
 */
async function tellMove(
  progress: AuditProgress,
  { run: { table, network, nodes }, indexState: state, signal, reporter }: OpenedAudit & Auditing,
): Promise<boolean> {
  if (!table || !state) return true
  const block = await recordAudit(progress, { table, state, nodes, signal })
  if (!block) return true
  if (block === 'other-chain' || block === 'other-difference') {
    const message = `${network}: the last audited block was not stored in the table, because ${NOT_MOVED[block](table)}`
    reporter.tell({ event: 'not-moved', level: 'warn', network, message })
    return block === 'other-difference'
  }
  const message = `${network}: audited through block ${block.number}`
  reporter.tell({ event: 'audited-through', network, blockNumber: block.number, message })
  return true
}
