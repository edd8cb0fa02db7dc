import { fileURLToPath } from 'node:url'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'

const SERVE = fileURLToPath(new URL('./serve-rounds.cjs', import.meta.url))

/** The average cost of a request, and the memory after the round. */
export interface Round {
  /** The CPU time of all threads of the process, including garbage collection and compilation. */
  cpuMs: number
  ms: number
  bodyBytes: number
  /** The heap in use after a full garbage collection. */
  heapMb: number
  peakMb: number
}

export type WarmFunction = ReturnType<typeof startFunction>

/** Discards the function's standard output. */
export function startFunction(file: string, environment: NodeJS.ProcessEnv) {
  const { child, message, stop } = forkPart(SERVE, [file], {
    env: environment,
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    answer(event: object, requests: number) {
      child.send({ event, requests })
      return message<Round>()
    },
    [Symbol.asyncDispose]: stop,
  }
}
