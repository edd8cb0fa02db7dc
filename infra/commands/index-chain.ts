/** `npm run index`: fills a table with a network's events, which it reads from the network's nodes. */
import { Option } from 'commander'
import { connectNode } from '../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../lib/chain/nodes/node-group.ts'
import { PROOF_LEVELS } from '../../lib/chain/nodes/read-proven-logs.ts'
import { NETWORKS } from '../../lib/events/networks.ts'
import type { IndexOptions } from '../../lib/ingest/indexer/index-options.ts'
import { indexWithDisplay } from '../../lib/ingest/indexer/index-with-display.ts'
import { checkTableToWrite } from '../../lib/kit/check-table.ts'
import { commandClient } from '../../lib/kit/command-client.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { doWorkUntilStopped } from '../../lib/kit/do-work.ts'
import { explainFailure } from '../../lib/kit/explain-failure.ts'
import { keptDaysOption, type TableOptions, withTableOptions } from '../../lib/kit/open-table.ts'
import {
  addAddress,
  addUrl,
  fromVariable,
  MAX_LEASE_SECONDS,
  MIN_LEASE_SECONDS,
  parseBlock,
  parseChainId,
  parseConfirmations,
  parseLease,
  parseTime,
} from '../../lib/kit/parse-options.ts'
import { type LogFormat, logFormatOption } from '../../lib/kit/reporter.ts'
import { INDEXING_TIMEOUT_MS } from '../../lib/store/create-client.ts'

/** The options that are passed to the indexer unchanged. */
type GivenOptions = Omit<IndexOptions, Computed | keyof TableOptions>
type Computed = 'nodes' | 'contracts' | 'leaseMs' | 'tableName' | 'createClient' | 'signal' | 'abort'

interface IndexCommandOptions extends TableOptions, GivenOptions {
  rpc: string[]
  contract?: string[]
  leaseSeconds: number
  logFormat: LogFormat
}

const HELP = `
You can stop the command at any time with Ctrl-C or SIGTERM. When you run it again, it continues where it stopped.
If the stopped run has indexed a block, leave out --restart and --back-to, which would make the command start over or
go back again.
A second signal ends the command immediately, so the next run must wait until the lease expires (--lease-seconds).

Every node must have the network's chain id, or that of a development node (31337 or 1337); otherwise the command ends
immediately. For a test network or your own chain, use --chain-id to set the id that every node must have.

Examples:
  npm run index -- --network polygon --rpc https://polygon.example --table events \\
    --contract 0x… --from-block 40000000
  npm run index -- --network base --rpc https://one.example --rpc https://two.example \\
    --table events --contract 0x… --contract 0x… --follow --endpoint http://127.0.0.1:8000`

const command = createCommand('index', { required: ['network', 'rpc'] })
  .description("Fills a table with a network's events, read from its nodes.")
  .addOption(new Option('--network <name>', 'the network').choices(NETWORKS))
  .option(
    '--rpc <url>',
    'JSON-RPC address of a node; may be repeated: if a node fails, the next one is used',
    addUrl,
  )
  .option(
    '--chain-id <number>',
    "the chain id that nodes must have (default: the network's, or a development node's)",
    parseChainId,
  )
  .option('--contract <address>', 'only the events of this contract; may be repeated', addAddress)
  .option('--erc721', 'also index ERC-721 transfers, as TransferSingle events with quantity 1', false)
  .option(
    '--from-block <number>',
    'the first block (default: as in earlier runs for these contracts; otherwise, the block in which the oldest of the contracts was created, or 0 without --contract)',
    parseBlock,
  )
  .addOption(
    new Option(
      '--from-time <time>',
      'begin at the first block on or after this date or time, such as 2024-01-31',
    )
      .argParser(parseTime)
      .conflicts('fromBlock'),
  )
  .option(
    '--to-block <number>',
    'the last block (default: the newest block that --confirmations allows)',
    parseBlock,
  )
  .option(
    '--confirmations <number>',
    'how many blocks to stay behind the newest block, or "finalized" to index only final blocks (default: 2 to 8, depending on the network, or 0 for a development node)',
    parseConfirmations,
  )
  .addOption(
    new Option(
      '--proof <level>',
      'which logs must be proven: none, all, or doubt (only logs of blocks that are not final, and only if the Bloom filter of the block casts doubt on them)',
    )
      .choices(PROOF_LEVELS)
      .default('doubt'),
  )
  .option('--follow', 'after the last block, continue with new blocks until stopped', false)
  .option('--restart', 'start over, at another block or for other contracts; stored events are kept', false)
  .addOption(
    new Option(
      '--back-to <number>',
      'first go back to this block, even if higher blocks were final, and remove the events of blocks that are no longer on the chain',
    )
      .argParser(parseBlock)
      .conflicts('restart'),
  )
  .option(
    '--lease-seconds <number>',
    `how many seconds other indexers wait if this indexer dies, from ${MIN_LEASE_SECONDS} to ${MAX_LEASE_SECONDS}`,
    parseLease,
    30,
  )
const tableOption = fromVariable(
  'EVENTS_TABLE',
  new Option('--table <name>', 'the table to write to').default('events'),
)
await withTableOptions(command, tableOption)
  .addOption(keptDaysOption())
  .addOption(logFormatOption())
  .addHelpText('after', HELP)
  .action(index)
  .parseAsync()

async function index(options: IndexCommandOptions) {
  const { table: tableName, rpc, contract, leaseSeconds, logFormat, ...given } = options
  const { fromBlock, toBlock } = given
  if (fromBlock !== undefined && toBlock !== undefined && toBlock < fromBlock) {
    command.error(`error: --to-block ${toBlock} is before --from-block ${fromBlock}`)
  }
  const explain = (failure: unknown) => explainFailure(failure, options)
  const goOn = options.restart ? ', but leave out --restart if this run has indexed a block' : ''
  const describe = (error: unknown, isStopped: boolean) => ({
    message: isStopped ? `Stopped; to continue, run the same command again${goOn}` : explain(error),
  })
  await doWorkUntilStopped({ logFormat, describe }, async ({ request, reporter }) => {
    const { stop: signal, endAtOnce: abort } = request
    const createClient = () => commandClient({ ...options, requestTimeoutMs: INDEXING_TIMEOUT_MS })
    const networks = await checkTableToWrite(await createClient(), tableName, {
      signal,
      networks: options.networks,
    })
    const indexing: IndexOptions = {
      ...given,
      nodes: groupNodes(rpc.map(url => connectNode(url))),
      contracts: contract ?? 'any',
      leaseMs: leaseSeconds * 1000,
      tableName,
      networks,
      createClient,
      signal,
      abort,
    }
    const isReached = await indexWithDisplay(indexing, { reporter, explain })
    process.exitCode = request.exitCode || (isReached ? 0 : 1)
  })
}
