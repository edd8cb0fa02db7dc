import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const STARTER = fileURLToPath(new URL('./start-function.cjs', import.meta.url))

/** Milliseconds, and milliseconds of CPU, since the process began, but for `loadMs`. */
export interface Start {
  statusCode: number
  bodyBytes: number
  /** What loading the function alone took. */
  loadMs: number
  loadedMs: number
  answeredMs: number
  /** From the request to its answer. */
  waitedMs: number
  loadedCpuMs: number
  answeredCpuMs: number
}

export interface StartOptions {
  file: string
  event: object
  environment: NodeJS.ProcessEnv
  /** Whether the request comes a while after the function was loaded, and what the process did meanwhile. */
  pause?: 'none' | 'awake' | 'frozen'
  /** A folder of compiled code, which is filled where it is empty. */
  compileCache?: string | undefined
}

/** Starts a function in a process of its own and lets it answer one event. */
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
