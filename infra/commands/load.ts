/** `npm run load`: puts files of logs into a table, wherever it is. */
import { type Command, Option } from 'commander'
import { NETWORKS, type Network } from '../../lib/events/networks.ts'
import { type FindBlocks, readBlockList } from '../../lib/ingest/block-list.ts'
import { connectNode } from '../../lib/ingest/chain/chain-node.ts'
import { findBlocksOnChain } from '../../lib/ingest/chain/find-blocks.ts'
import { groupNodes } from '../../lib/ingest/chain/node-group.ts'
import { loadWithDisplay } from './load/load-with-display.ts'
import { describeWithoutEvents, summariseLoad } from './load/summarise-load.ts'
import { checkTable } from './shared/check-table.ts'
import { commandClient } from './shared/command-client.ts'
import { createCommand } from './shared/create-command.ts'
import { explainFailure } from './shared/explain-failure.ts'
import { keptDaysOption } from './shared/kept-days-option.ts'
import { addUrl, parseChainId, parseUrl } from './shared/parse-options.ts'
import { createReporter, type LogFormat, logFormatOption } from './shared/reporter.ts'
import { stopRequest } from './shared/stop-request.ts'

interface LoadCommandOptions {
  table: string
  endpoint?: string
  region?: string
  network?: Network
  rpc?: string[]
  chainId?: number
  blocks?: string
  erc721: boolean
  rejects?: string
  strict: boolean
  changesKeptDays: number
  logFormat: LogFormat
}

const HELP = `
A log has network, address, topics, data, blockNumber, blockHash, blockTimestamp (in Unix seconds), transactionHash and
logIndex, integers as numbers or 0x strings. Files hold one a line, JSON lists of them, or replies of nodes to
eth_getLogs, as they are or packed by gzip. Nodes do not name the network, and some not the time: --network is for
logs without one, --rpc or --blocks for those without a time.
A line that is no log of a known event, or contradicts an earlier line, is left out and reported. One that
contradicts what an earlier load has stored is not noticed: it is written over that event, and where parts of
both remain npm run verify finds them.
The exit code is 0 when all other lines were loaded, and 1 when a file holds something, but no event at all.

Examples:
  npm run load -- --endpoint http://127.0.0.1:8000 --table events logs.ndjson
  npm run load -- --region eu-west-1 --table events --rejects rejects.txt logs/*.ndjson.gz
  npm run load -- --region eu-west-1 --table events --network base --rpc https://base.example reply.json`

await createCommand('load', { required: ['table'], takesFiles: true })
  .description('Loads files of logs into a table. Loading a log again changes nothing.')
  .argument('<file...>', 'files of logs')
  .option('--table <name>', 'the table to write')
  .option('--endpoint <url>', 'a DynamoDB outside AWS, or a certain endpoint of AWS', parseUrl)
  .option('--region <name>', 'AWS region (default: as the AWS tools find it)')
  .addOption(new Option('--network <name>', 'the network of logs that name none').choices(NETWORKS))
  .addOption(
    new Option('--rpc <url>', 'a node of the network, for the times of logs without; may be repeated')
      .argParser(addUrl)
      .conflicts('blocks'),
  )
  .option('--chain-id <number>', "the chain id that nodes must have (default: the network's)", parseChainId)
  .option('--blocks <file>', 'a file of blocks with number, hash and timestamp, for the same')
  .option('--erc721', 'take transfers of ERC-721, too, as TransferSingle of quantity 1', false)
  .option('--rejects <file>', 'write all lines that are left out, with the reasons, to this file')
  .option('--strict', 'exit with 1 when lines were left out', false)
  .addOption(keptDaysOption())
  .addOption(logFormatOption())
  .addHelpText('after', HELP)
  .action(load)
  .parseAsync()

async function load(
  files: string[],
  { table: tableName, ...options }: LoadCommandOptions,
  command: Command,
): Promise<void> {
  if (options.rpc && !options.network) command.error('error: --rpc needs --network')
  const request = stopRequest()
  const reporter = createReporter(options.logFormat)
  let stored = 0
  try {
    const client = await commandClient(options)
    await checkTable(client, tableName, { signal: request.stop })
    const summary = await loadWithDisplay(
      {
        client,
        tableName,
        files,
        network: options.network,
        erc721: options.erc721,
        changesKeptDays: options.changesKeptDays,
        findBlocks: await findBlocksOf(options, request.stop),
        rejectsFile: options.rejects,
        signal: request.stop,
        onProgress: ({ events }) => {
          stored = events
        },
      },
      reporter,
    )
    reporter.conclude({ event: 'loaded', ...summary, message: summariseLoad(summary) })
    for (const file of summary.withoutEvents) {
      reporter.tell({ event: 'no-events', level: 'error', ...file, message: describeWithoutEvents(file) })
    }
    const hasFailed = summary.withoutEvents.length > 0 || (options.strict && summary.rejected > 0)
    process.exitCode = hasFailed ? 1 : 0
  } catch (error) {
    const reason = request.stop.aborted ? 'Stopped' : explainFailure(error, { ...options, tableName })
    const message = `${reason}${stored > 0 ? `; ${howToGoOn(stored)}` : ''}`
    const event = request.stop.aborted ? 'stopped' : 'failed'
    reporter.tell({ event, level: 'error', events: stored, message })
    process.exitCode = request.exitCode || 1
  }
}

async function findBlocksOf(
  { network, rpc, chainId, blocks }: Omit<LoadCommandOptions, 'table'>,
  signal: AbortSignal,
): Promise<FindBlocks | undefined> {
  if (blocks !== undefined) return readBlockList(blocks, { signal })
  if (!rpc || !network) return undefined
  return findBlocksOnChain({ network, chainId, nodes: groupNodes(rpc.map(url => connectNode(url))) }, signal)
}

function howToGoOn(stored: number): string {
  return `the first ${stored} events are stored. The same command loads the rest and leaves those as they are.`
}
