import { closeSync, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { TABLE_NAME } from '../database/database.ts'
import { forkPart } from '../processes/fork-part.ts'

export interface Api {
  baseUrl: string
  /** Where the functions can be invoked as in AWS Lambda. */
  lambdaUrl: string
  /** What the functions that other services invoke are called there. */
  functionNames: string[]
  /** Resolves with the reason when the API is no longer served, on request or not. */
  ended: Promise<string>
  stop(): Promise<void>
}

/** What the gateway tells once requests are accepted. */
export interface GatewayMessage {
  lambdaPort: number
  functionNames: string[]
}

interface ServeOptions {
  port: number
  /** Where functions can be invoked; on a free port where that one is taken. */
  lambdaPort?: number
  logFile: string
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SERVERLESS = createRequire(import.meta.url).resolve('serverless/bin/serverless.js')
const HOST = '127.0.0.1'

/**
 * Serves the functions and routes of serverless.yml on that port, reading the table that the AWS SDK's
 * environment points at. Resolves when requests are accepted. What the functions print goes to `logFile`.
 */
export async function serveApi({ port, lambdaPort = 0, logFile }: ServeOptions): Promise<Api> {
  const baseUrl = `http://${HOST}:${port}`
  const buildFolder = path.join('.local', 'build', String(port))
  const log = openSync(logFile, 'w')
  const part = forkPart(SERVERLESS, commandLine({ port, lambdaPort, buildFolder }), {
    cwd: ROOT,
    stdio: ['ignore', log, log, 'ipc'],
    env: {
      ...process.env,
      EVENTS_TABLE: TABLE_NAME,
      PUBLIC_BASE_URL: baseUrl,
      SLS_SCHEMA_CACHE_BASE_DIR: path.join(ROOT, '.local', 'cache'),
      SLS_LOG_LEVEL: 'warning',
    },
  })
  closeSync(log)
  const ended = part.ended.then(how => `The API ended (${how}); what it printed is in ${logFile}`)
  const told = await part.message<GatewayMessage>().catch(async () => fail(await ended))
  const stop = async () => {
    await part.stop()
    await rm(path.join(ROOT, buildFolder), { recursive: true, force: true })
  }
  const { functionNames } = told
  return { baseUrl, lambdaUrl: `http://${HOST}:${told.lambdaPort}`, functionNames, ended, stop }
}

interface ServedAt {
  port: number
  lambdaPort: number
  buildFolder: string
}

function fail(reason: string): never {
  throw new Error(reason)
}

const commandLine = ({ port, lambdaPort, buildFolder }: ServedAt) => [
  ...['offline', 'start', '--stage', 'local', '--host', HOST],
  ...['--httpPort', String(port), '--lambdaPort', String(lambdaPort)],
  ...['--buildFolder', buildFolder],
]
