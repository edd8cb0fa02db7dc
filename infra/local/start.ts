/** `npm start`: the API, its database and events to ask about, on this machine. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { styleText } from 'node:util'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { loadWithDisplay } from '../commands/load/load-with-display.ts'
import { createReporter } from '../commands/shared/reporter.ts'
import { TABLE_NAME } from './database/database.ts'
import { fingerprint, type Kept } from './database/fingerprint.ts'
import { openOwnEngine } from './database/open-own-engine.ts'
import { openRunningDatabase } from './database/open-running-database.ts'
import { type Api, serveApi } from './gateway/serve-api.ts'
import { type RunningParts, runningParts } from './processes/running-parts.ts'
import { checkPort } from './start/check-port.ts'
import { eventFiles } from './start/event-files.ts'
import { lockFolder } from './start/lock-folder.ts'
import { sampleRequests } from './start/sample-requests.ts'
import { parseStartOptions, type StartOptions } from './start/start-options.ts'

const KEPT: Record<Kept, string> = {
  same: 'Events kept from earlier (--fresh forgets them)',
  'from another version':
    'Events kept from earlier, as another version stored them (--fresh forgets them and loads anew)',
  'other events': 'Events kept from earlier, of other files (--fresh forgets them)',
}

const options = parseStartOptions(process.argv)
const running = runningParts()
try {
  await start(options, running)
} catch (error) {
  await running.fail((error as Error).message)
}

async function start(options: StartOptions, running: RunningParts) {
  const files = await eventFiles(options)
  await checkPort(options.port)
  running.whenStopped(lockFolder(options.dataDir))
  const { endpoint, kept } = await openDatabase(options, files, running)
  if (kept) console.log(KEPT[kept])
  // Loading takes a while, and only now is the port taken.
  await checkPort(options.port)
  const logFile = path.join(options.dataDir, 'api.log')
  const api = await serveApi({ port: options.port, logFile })
  running.add(api)
  await present(api, { endpoint, logFile })
}

async function openDatabase(options: StartOptions, files: string[], running: RunningParts) {
  const { endpoint } = options
  const wanted = {
    ...options,
    eventsNamed: options.empty || options.events.length > 0,
    fingerprint: await fingerprint(files),
    fill: (client: DynamoDBClient) => fill(client, files, running.signal),
  }
  if (endpoint) return openRunningDatabase({ ...wanted, endpoint })
  const sizes = await Promise.all(files.map(async file => (await stat(file)).size))
  return openOwnEngine({ ...wanted, running, bytes: sizes.reduce((sum, size) => sum + size, 0) })
}

async function fill(client: DynamoDBClient, files: string[], signal: AbortSignal) {
  if (files.length === 0) return
  console.log(`Loading ${files.map(file => path.basename(file)).join(', ')} …`)
  const { loaded, rejected } = await loadWithDisplay(
    { client, tableName: TABLE_NAME, files, signal },
    createReporter(),
  )
  // Rather than keep an empty table, which would then refuse the files that were meant.
  if (loaded === 0 && rejected > 0) throw new Error('No line of these files is a log of a known event')
  console.log(`${loaded} events loaded${rejected > 0 ? `, ${rejected} lines left out` : ''}`)
}

async function present(
  { baseUrl, lambdaUrl, functionNames }: Api,
  also: { endpoint: string; logFile: string },
) {
  const samples = await sampleRequests(baseUrl)
  const lines = [
    '',
    `  Page      ${styleText('bold', `${baseUrl}/`)}`,
    `  Docs      ${baseUrl}/docs`,
    `  API       ${baseUrl}`,
    `  Lambda    ${lambdaUrl} (${functionNames.join(', ')})`,
    `  DynamoDB  ${also.endpoint} (table ${TABLE_NAME})`,
    `  Log       ${also.logFile}`,
    '',
    ...linesAbout(samples),
    '',
    '  Ctrl-C stops everything.',
  ]
  console.log(lines.join('\n'))
}

function linesAbout(samples: string[] | undefined): string[] {
  if (!samples)
    return [
      '  The API is not public: requests need a token of the issuer, whose signature is not looked at here.',
    ]
  return samples.length > 0 ? samples.map(url => `  curl '${url}'`) : ['  There are no events yet.']
}
