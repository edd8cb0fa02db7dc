import { closeSync, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StatusOptions } from '../../../lib/site/status/create-status-handler.ts'
import { FRAMEWORK } from '../../deploy/framework.ts'
import { TABLE_NAME } from '../database/database.ts'
import { forkPart } from '../processes/fork-part.ts'
import type { Part } from '../processes/running-parts.ts'

export interface Api extends Part {
  baseUrl: string
  lambdaUrl: string
  /** The names of the functions that other services can invoke through `lambdaUrl`. */
  functionNames: string[]
}

/** The message that the gateway sends as soon as it accepts requests. */
export interface GatewayMessage {
  lambdaPort: number
  functionNames: string[]
}

interface ServeOptions extends Pick<StatusOptions, 'localContracts' | 'isLive'> {
  port: number
  /** The port of the local Lambda API. If this port is in use, a free port is used. */
  lambdaPort?: number
  logFile: string
  /** The networks of the table. If undefined, all networks. */
  networks?: readonly string[] | undefined
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const HOST = '127.0.0.1'

/** Starts the API in its own process, which logs to `logFile`. Resolves as soon as the API accepts requests. */
export async function serveApi(options: ServeOptions): Promise<Api> {
  const { port, lambdaPort = 0, logFile, localContracts = [], isLive = false, networks } = options
  const baseUrl = `http://${HOST}:${port}`
  const buildFolder = path.join('.local', 'build', String(port))
  const log = openSync(logFile, 'w')
  const commandLine = [
    ...['offline', 'start', '--stage', 'local', '--host', HOST],
    ...['--httpPort', String(port), '--lambdaPort', String(lambdaPort)],
    ...['--buildFolder', buildFolder],
  ]
  const part = forkPart(FRAMEWORK, commandLine, {
    cwd: ROOT,
    stdio: ['ignore', log, log, 'ipc'],
    env: {
      ...process.env,
      EVENTS_TABLE: TABLE_NAME,
      EVENTS_NETWORKS: networks?.join(',') ?? 'all',
      PUBLIC_BASE_URL: baseUrl,
      LOCAL_CONTRACTS: localContracts.join(' '),
      ...(isLive && { LIVE_CHAIN: 'true' }),
      SLS_SCHEMA_CACHE_BASE_DIR: path.join(ROOT, '.local', 'cache'),
      SLS_LOG_LEVEL: 'warning',
    },
  })
  closeSync(log)
  const ended = part.ended.then(how => `The API ended (${how}); its output is in ${logFile}`)
  const told = await part.message<GatewayMessage>().catch(async () => {
    throw new Error(await ended)
  })
  const stop = async () => {
    await part.stop()
    await rm(path.join(ROOT, buildFolder), { recursive: true, force: true })
  }
  const { functionNames } = told
  return { baseUrl, lambdaUrl: `http://${HOST}:${told.lambdaPort}`, functionNames, ended, stop }
}
