import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const STARTER = fileURLToPath(new URL('./start-function.cjs', import.meta.url))

/**
 * Elapsed times and CPU times, both in milliseconds. All except `loadMs` and `waitedMs` count from the start of the
 * process.
 */
export interface Start {
  statusCode: number
  bodyBytes: number
  /** The time to load the function. */
  loadMs: number
  loadedMs: number
  answeredMs: number
  /** The time from the request to its answer. */
  waitedMs: number
  loadedCpuMs: number
  answeredCpuMs: number
}

export interface StartOptions {
  file: string
  event: object
  environment: NodeJS.ProcessEnv
  /** The state of the process between loading and the request. `none`, the default, means no pause. */
  pause?: 'none' | 'awake' | 'frozen'
  /** The folder of the cache of compiled code. The first start fills this folder. */
  compileCache?: string | undefined
}

/** Starts a function in its own process and sends it one event. */
export async function measureStart(options: StartOptions): Promise<Start> {
  const { file, event, environment, pause = 'none', compileCache } = options
  const parameters = [STARTER, file, JSON.stringify(event), pause]
  if (compileCache) parameters.push(compileCache)
  const child = spawn(process.execPath, parameters, {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const [told] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'exit')])
  const start = JSON.parse(told) as Start
  if (start.statusCode !== 200) throw new Error(`${file} answers ${start.statusCode}`)
  return start
}
