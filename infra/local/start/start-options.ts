import path from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { InvalidArgumentError, Option } from 'commander'
import { createCommand } from '../../commands/shared/create-command.ts'
import { parseUrl } from '../../commands/shared/parse-options.ts'
import { ENGINES, type EngineName } from '../engine/start-engine.ts'

export interface StartOptions {
  port: number
  /** Files to load; none means the bundled data. */
  events: string[]
  /** Load nothing: an indexer is to fill the table. */
  empty: boolean
  fresh: boolean
  dataDir: string
  engine: EngineName
  /** A DynamoDB that runs already, which then takes the place of the engine. */
  endpoint: string | undefined
}

const DEFAULT_PORT = 3000
const KEPT_DATA = fileURLToPath(new URL('../../../.local', import.meta.url))
// npm runs scripts in the package's folder; what people type is relative to where they are.
const CURRENT_FOLDER = (env.npm_lifecycle_event === 'start' && env.INIT_CWD) || process.cwd()

const HELP = `
Examples:
  npm start
  npm start -- --port 4010 --events logs.ndjson
  npm start -- --engine dynamodb-local --fresh
  npm start -- --endpoint http://127.0.0.1:8000`

/** Reads the command line. Prints what is wrong with it, or the help, and exits where it can't go on. */
export function parseStartOptions(argv: string[]): StartOptions {
  const given = command().parse(argv).opts<Given>()
  return {
    ...given,
    events: given.events ?? [],
    fresh: given.fresh === true,
    empty: given.empty === true,
    endpoint: given.endpoint,
    // A folder for each port, so that stacks side by side do not share their data.
    dataDir: given.dataDir ?? path.join(KEPT_DATA, String(given.port)),
  }
}

type Given = Pick<StartOptions, 'port' | 'engine'> & Partial<StartOptions>

const command = () =>
  createCommand('start')
    .name('npm start --')
    .description('Serves the API on this machine, with events to ask about.')
    .option('--port <number>', 'port of the API', parsePort, DEFAULT_PORT)
    .option(
      '--events <file>',
      'load these logs instead of the bundled ones (repeatable); without it, what was kept is served',
      collectFile,
    )
    .addOption(
      new Option('--empty', 'begin with an empty table, for npm run index to fill').conflicts('events'),
    )
    .option('--fresh', 'forget the events kept from earlier starts, and load anew')
    .option('--data-dir <folder>', 'where to keep the data (default: .local/<port>)', resolvePath)
    .addOption(
      new Option(
        '--engine <name>',
        'database to start; dynamodb-local can be reached from other machines, too',
      )
        .choices(ENGINES)
        .default('dynalite'),
    )
    .addOption(
      new Option('--endpoint <url>', 'use a DynamoDB that runs already instead of starting one')
        .argParser(parseEndpoint)
        .conflicts('engine'),
    )
    .allowExcessArguments(false)
    .addHelpText('after', HELP)

const resolvePath = (value: string) => path.resolve(CURRENT_FOLDER, value)

const collectFile = (value: string, files: string[] = []) => [...files, resolvePath(value)]

function parsePort(value: string): number {
  const port = Number(value)
  if (!/^\d+$/.test(value) || port < 1 || port > 65535) {
    throw new InvalidArgumentError('A port is a whole number from 1 to 65535.')
  }
  return port
}

const parseEndpoint = (value: string) => new URL(parseUrl(value)).origin
