import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const STARTER = fileURLToPath(new URL('./start-function.cjs', import.meta.url))

/** Elapsed and CPU times in milliseconds. All except `loadMs` and `waitedMs` count from the start of the process. */
export interface Start {
  statusCode: number
  loadMs: number
  loadedMs: number
  answeredMs: number
  /** From the request to the function's response. */
  waitedMs: number
  loadedCpuMs: number
  answeredCpuMs: number
}

/** What the process does between loading and its first request. */
export type Pause = 'none' | 'awake' | 'frozen'

interface StartOptions {
  file: string
  event: object
  environment: NodeJS.ProcessEnv
  pause: Pause
}

export async function measureStart(options: StartOptions): Promise<Start> {
  const { file, event, environment, pause } = options
  const child = spawn(process.execPath, [STARTER, file, JSON.stringify(event), pause], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const [told] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'exit')])
  const start = JSON.parse(told) as Start
  if (start.statusCode !== 200) throw new Error(`${file} answers ${start.statusCode}`)
  return start
}
