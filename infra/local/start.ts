/** `npm start`: serves the API on this machine, with its own database and sample events. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { styleText } from 'node:util'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { LoadOptions } from '../../lib/ingest/load/load-files.ts'
import { loadWithDisplay } from '../../lib/ingest/load/load-with-display.ts'
import { readLogOptions } from '../../lib/ingest/load/log-options.ts'
import { damageIn } from '../../lib/ingest/load/summarise-load.ts'
import { lockFolder } from '../../lib/kit/lock-folder.ts'
import { counted } from '../../lib/kit/printable.ts'
import { createReporter } from '../../lib/kit/reporter.ts'
import { recordForm } from '../../lib/store/writing/record-form.ts'
import { TABLE_NAME } from './database/database.ts'
import { fingerprint, type Kept } from './database/fingerprint.ts'
import { openOwnEngine } from './database/open-own-engine.ts'
import { openRunningDatabase } from './database/open-running-database.ts'
import { type Api, serveApi } from './gateway/serve-api.ts'
import type { LiveBanner } from './live/start-live.ts'
import { freePort } from './processes/listen-at.ts'
import { type RunningParts, runningParts } from './processes/running-parts.ts'
import { eventFiles, LIVE_CONTRACT, localContracts } from './start/event-files.ts'
import { checkPort, explainPort, NODE_ABOVE, portAbove } from './start/ports.ts'
import { sampleRequests } from './start/sample-requests.ts'
import { parseStartOptions, type StartOptions } from './start/start-options.ts'

const KEPT: Record<Kept, string> = {
  same: 'The table contains events from an earlier start (--fresh discards them)',
  'from another version':
    'The table contains events from an earlier start, stored in the format of a different version (--fresh discards them and loads the events again)',
  'other events':
    'The table contains events from an earlier start that loaded other files (--fresh discards them)',
}

const LOCK = { name: 'lock', holder: 'another local stack', options: '--port or --data-dir' }

const options = await parseStartOptions(process.argv)
const running = runningParts()
try {
  await start(options, running)
} catch (error) {
  await running.fail((error as Error).message)
}

async function start(options: StartOptions, running: RunningParts) {
  const { port, wantedPort, dynamodbPort, lambdaPort, dataDir } = options
  const isLive = options.reorganizeEverySeconds !== undefined
  const files = await eventFiles(options)
  const named = [dynamodbPort, lambdaPort].filter(({ isNamed }) => isNamed)
  const ofApi = { ...wantedPort, port }
  for (const each of [ofApi, ...named]) await checkPort(each)
  running.whenStopped(lockFolder(dataDir, LOCK))
  const { endpoint, kept } = await openDatabase(options, files, running)
  await checkNetworks(options)
  if (kept) console.log(KEPT[kept])
  // The port is checked again, because another process may have begun to use it while files were loading.
  await checkPort(ofApi)
  const logFile = path.join(dataDir, 'api.log')
  const live = startLive(options, { endpoint, running })
  // This handler only prevents an unhandled rejection before `await live` below, which throws the error.
  live.catch(() => undefined)
  const api = await serveApi({
    port,
    lambdaPort: lambdaPort.port,
    logFile,
    isLive,
    localContracts: isLive ? [LIVE_CONTRACT] : await localContracts(files),
    networks: options.networks.of,
  })
  running.add(api)
  const chain = await live
  const notes = [
    explainPort(wantedPort, api.baseUrl),
    explainPort(lambdaPort, api.lambdaUrl),
    options.endpoint ? undefined : explainPort(dynamodbPort, endpoint),
  ].filter(note => note !== undefined)
  await present(api, { endpoint, logFile, notes, chain })
}

/** The live chain's modules are loaded only if the options request the chain, because they are large. */
async function startLive(
  { port, networks, reorganizeEverySeconds }: StartOptions,
  { endpoint, running }: { endpoint: string; running: RunningParts },
): Promise<LiveBanner | undefined> {
  if (reorganizeEverySeconds === undefined) return undefined
  const live = await import('./live/start-live.ts')
  const nodePort = await freePort(portAbove(port, NODE_ABOVE))
  return live.startLive({ endpoint, networks: networks.of, nodePort, reorganizeEverySeconds }, running)
}

async function checkNetworks({ networks: { of: networks } }: StartOptions) {
  const table = { client: new DynamoDBClient(), tableName: TABLE_NAME, networks }
  try {
    await recordForm(table)
  } catch (error) {
    throw new Error(`${(error as Error).message}, or use --fresh to replace the table`, { cause: error })
  } finally {
    table.client.destroy()
  }
}

async function openDatabase(options: StartOptions, files: string[], running: RunningParts) {
  const { endpoint } = options
  const { of: networks } = options.networks
  const { signal } = running
  const wanted = {
    ...options,
    eventsNamed: options.empty || options.events.length > 0,
    fingerprint: await fingerprint(files, { ...options.logs, networks }),
    fill: async (client: DynamoDBClient) => {
      await recordForm({ client, tableName: TABLE_NAME, networks }, signal)
      if (files.length === 0) return
      const reading = await readLogOptions(options.logs, signal)
      await fill({ client, tableName: TABLE_NAME, files, signal, networks, ...reading })
    },
  }
  if (endpoint) return openRunningDatabase({ ...wanted, endpoint })
  const sizes = await Promise.all(files.map(async file => (await stat(file)).size))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return openOwnEngine({ ...wanted, running, port: options.dynamodbPort.port, bytes })
}

async function fill(loading: LoadOptions) {
  const reporter = createReporter()
  console.log(`Loading ${loading.files.map(file => path.basename(file)).join(', ')} …`)
  const summary = await loadWithDisplay(loading, reporter)
  const { loaded, rejected, cutOff } = summary
  const damage = damageIn(summary)
  // Without this error, the next start would serve the empty or incomplete table, and would reject the corrected files.
  if (cutOff.length > 0 || (loaded === 0 && rejected > 0))
    throw new Error(damage.map(({ message }) => message).join('\n'))
  for (const report of damage) reporter.tell(report)
  const left = rejected > 0 ? `, ${counted(rejected, 'line')} left out` : ''
  console.log(`${counted(loaded, 'event')} loaded${left}`)
}

async function present(
  { baseUrl, lambdaUrl, functionNames }: Api,
  about: { endpoint: string; logFile: string; notes: string[]; chain: LiveBanner | undefined },
) {
  const { endpoint, logFile, notes, chain } = about
  const samples = await sampleRequests(baseUrl)
  const lines = [
    '',
    `  Page      ${styleText('bold', `${baseUrl}/`)}`,
    `  Docs      ${baseUrl}/docs`,
    `  API       ${baseUrl}`,
    `  Lambda    ${lambdaUrl} (${functionNames.join(', ')})`,
    `  DynamoDB  ${endpoint} (table ${TABLE_NAME})`,
    ...(chain ? [`  Node      ${chain.rpcUrl}`] : []),
    `  Log       ${logFile}`,
    '',
    ...notes.flatMap(note => [`  ${note}`, '']),
    ...(chain ? [...chain.explanation.map(line => `  ${line}`), ''] : []),
    ...linesAbout(samples, endpoint),
    '',
    '  Ctrl-C stops everything.',
  ]
  console.log(lines.join('\n'))
}

function linesAbout(samples: string[] | undefined, endpoint: string): string[] {
  if (!samples)
    return [
      '  The API is not public: requests need a token. The local stack checks its claims, but not its signature.',
    ]
  if (samples.length > 0) return samples.map(url => `  curl '${url}'`)
  const table = `--endpoint ${endpoint} --table ${TABLE_NAME}`
  return [
    '  There are no events yet. To add some, load files of logs, or index a chain through one of its nodes:',
    `  npm run load -- ${table} logs.ndjson`,
    `  npm run index -- ${table} --network polygon --rpc http://127.0.0.1:8545`,
  ]
}
