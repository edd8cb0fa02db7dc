import { fileURLToPath } from 'node:url'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'

const SERVE = fileURLToPath(new URL('./serve-rounds.cjs', import.meta.url))

/** What a request has cost, on average over a round, and the memory afterwards. */
export interface Round {
  /** CPU of all of the process's threads: garbage collection and compilation included. */
  cpuMs: number
  ms: number
  bodyBytes: number
  /** Held after a full collection. */
  heapMb: number
  /** The most that the process has ever held. */
  peakMb: number
}

export interface WarmFunction {
  answer(event: object, requests: number): Promise<Round>
  stop(): Promise<void>
}

/** Starts a function in a process of its own, whose standard output goes nowhere. */
export function startFunction(file: string, environment: NodeJS.ProcessEnv): WarmFunction {
  const { child, message, stop } = forkPart(SERVE, [file], {
    env: environment,
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    answer(event, requests) {
      child.send({ event, requests })
      return message<Round>()
    },
    stop,
  }
}
