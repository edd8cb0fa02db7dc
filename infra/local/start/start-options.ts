import path from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { givenLogOption, type LogOptions, withLogOptions } from '../../../lib/ingest/load/log-options.ts'
import { createCommand } from '../../../lib/kit/create-command.ts'
import { networksOption, type WantedNetworks } from '../../../lib/kit/networks-option.ts'
import { parseCount, parseUrl } from '../../../lib/kit/parse-options.ts'
import { ENGINES, type EngineName } from '../engine/start-engine.ts'
import { freePort } from '../processes/listen-at.ts'
import { type GivenPorts, portNamedTwice, type WantedPort, wantedPorts } from './ports.ts'

export interface StartOptions {
  port: number
  /**
   * The port that the API should use. `port` differs from this port only if `--live` is set and the default port was in
   * use.
   */
  wantedPort: WantedPort
  dynamodbPort: WantedPort
  lambdaPort: WantedPort
  /** The files to load. If the list is empty, the bundled data is loaded, unless `empty` is set. */
  events: string[]
  logs: LogOptions
  /** Whether to load nothing, so that an indexer can fill the table. */
  empty: boolean
  fresh: boolean
  dataDir: string
  engine: EngineName
  networks: WantedNetworks
  endpoint: string | undefined
  /** The approximate time between reorganisations of the live chain. Undefined without a live chain. */
  reorganizeEverySeconds: number | undefined
}

const DEFAULT_PORT = 3000
const DEFAULT_REORGANIZE_SECONDS = 60
const KEPT_DATA = fileURLToPath(new URL('../../../.local', import.meta.url))
// npm runs scripts in the package's folder, but paths on the command line are relative to the user's current folder.
const CURRENT_FOLDER = (env.npm_lifecycle_event === 'start' && env.INIT_CWD) || process.cwd()

const HELP = `
Examples:
  npm start
  npm start -- --port 4010 --events logs.ndjson
  npm start -- --port 4010 --events reply.json --network polygon
  npm start -- --engine dynamodb-local --fresh
  npm start -- --networks base
  npm start -- --live
  npm start -- --endpoint http://127.0.0.1:8000`

/** Exits after printing the help or an error. */
export async function parseStartOptions(argv: string[]): Promise<StartOptions> {
  const command = startCommand().parse(argv)
  const given = command.opts<Given>()
  const { blocks, live = false } = given
  const isNamed = command.getOptionValueSource('port') !== 'default'
  const wantedPort = { name: 'the API', option: '--port', port: given.port, isNamed }
  if (live && !isNamed) given.port = await freePort(given.port)
  // Each API port has its own data folder, so that concurrent stacks do not share data.
  const dataDir = given.dataDir ?? path.join(KEPT_DATA, String(given.port))
  return {
    ...given,
    ...wantedPorts(given),
    wantedPort,
    events: given.events ?? [],
    logs: { ...given, ...(blocks && { blocks: resolvePath(blocks) }) },
    fresh: live || given.fresh === true,
    empty: live || given.empty === true,
    endpoint: given.endpoint,
    networks: given.networks ?? { of: undefined },
    reorganizeEverySeconds: live ? (given.reorganizeEvery ?? DEFAULT_REORGANIZE_SECONDS) : undefined,
    // A live chain begins again at every start, so it has its own folder and does not replace the data of other starts.
    dataDir: live ? path.join(dataDir, 'live') : dataDir,
  }
}

interface Given
  extends GivenPorts,
    LogOptions,
    Pick<StartOptions, 'engine'>,
    Partial<Pick<StartOptions, 'events' | 'empty' | 'fresh' | 'dataDir' | 'endpoint' | 'networks'>> {
  live?: boolean
  reorganizeEvery?: number
}

function startCommand(): Command {
  const command = createCommand('start')
    .name('npm start --')
    .description('Serves the API on this machine, with the bundled events or your own.')
    .option('--port <number>', 'port of the API', parsePort, DEFAULT_PORT)
    .addOption(
      new Option(
        '--dynamodb-port <number>',
        'port of DynamoDB (default: --port + 5000, so 8000; any free port if that one is in use)',
      )
        .argParser(parsePort)
        .conflicts('endpoint'),
    )
    .option(
      '--lambda-port <number>',
      'port on which functions can be invoked (default: --port + 6000, so 9000; any free port if that one is in use)',
      parsePort,
    )
    .option(
      '--events <file>',
      'load this file of logs instead of the bundled ones; may be repeated. Without this option, npm start serves the events of an earlier start, if there are any',
      collectFile,
    )
  return (
    withLogOptions(command)
      .addOption(
        new Option('--empty', 'begin with an empty table, which npm run index can fill').conflicts('events'),
      )
      .addOption(
        new Option(
          '--live',
          'start and index a simulated chain, which has finality and reorganisations and adds a block of events every few seconds (the API uses any free port if 3000 is in use; no data is kept)',
        ).conflicts(['events', 'empty', 'endpoint']),
      )
      .option(
        '--reorganize-every <seconds>',
        `approximate time between reorganisations of the live chain (default: ${DEFAULT_REORGANIZE_SECONDS})`,
        parseCount,
      )
      .addOption(networksOption('all'))
      .option('--fresh', 'discard the events of earlier starts, and load the events again')
      .option('--data-dir <folder>', 'where to keep the data (default: .local/<port>)', resolvePath)
      .addOption(
        new Option(
          '--engine <name>',
          'the database engine to start; dynamodb-local can also be reached from other machines',
        )
          .choices(ENGINES)
          .default('dynalite'),
      )
      .addOption(
        new Option('--endpoint <url>', 'address of a running DynamoDB to use instead of starting one')
          .argParser(parseEndpoint)
          .conflicts('engine'),
      )
      .allowExcessArguments(false)
      .addHelpText('after', HELP)
      .hook('preAction', refuseTogether)
      // This action does nothing, but Commander calls the hook `preAction` only if the command has an action.
      .action(() => undefined)
  )
}

function refuseTogether(command: Command): void {
  const given = command.opts<Given>()
  const lonely = given.events ? undefined : givenLogOption(command)
  if (lonely) command.error(`error: ${lonely} needs --events`)
  if (given.reorganizeEvery && !given.live) command.error('error: --reorganize-every needs --live')
  const twice = portNamedTwice(given)
  if (twice) command.error(`error: ${twice}`)
}

function resolvePath(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return path.resolve(CURRENT_FOLDER, value)
}

const collectFile = (value: string, files: string[] = []) => [...files, resolvePath(value)]

function parsePort(value: string): number {
  const port = Number(value)
  if (!/^\d+$/.test(value) || port < 1 || port > 65535) {
    throw new InvalidArgumentError('A port must be a whole number from 1 to 65535.')
  }
  return port
}

const parseEndpoint = (value: string) => new URL(parseUrl(value)).origin
