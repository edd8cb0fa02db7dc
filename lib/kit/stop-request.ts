import { constants } from 'node:os'
import { env } from 'node:process'

export interface StopRequest {
  /** Aborts on the first request. */
  stop: AbortSignal
  /** Aborts on the second request. The command must then end without waiting for anything. */
  endAtOnce: AbortSignal
  /** The exit code of a command that ends on request. */
  exitCode: number
}

/** Handles the signals that would end the process, so that the command can end its work properly. */
export function stopRequest(): StopRequest {
  const stop = new AbortController()
  const endAtOnce = new AbortController()
  const request = { stop: stop.signal, endAtOnce: endAtOnce.signal, exitCode: 0 }
  whenAskedToStop(signal => {
    if (stop.signal.aborted) endAtOnce.abort(new Error('Stopped'))
    request.exitCode = exitCodeOf(signal)
    stop.abort(new Error('Stopped'))
  })
  return request
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type StopSignal = (typeof SIGNALS)[number]

/** Signals within this time count as one request, because Ctrl-C sends two: one from the terminal and one from npm. */
const SAME_REQUEST_MS = 500
const PARENT_POLL_MS = 500

/** A request is a signal, or the end of the npm process that started this process. */
export function whenAskedToStop(callback: (signal: StopSignal) => void): void {
  let askedAt = Number.NEGATIVE_INFINITY
  const ask = (signal: StopSignal) => {
    const isRepeated = performance.now() - askedAt < SAME_REQUEST_MS
    askedAt = performance.now()
    if (!isRepeated) callback(signal)
  }
  for (const signal of SIGNALS) process.on(signal, () => ask(signal))
  if (env.npm_lifecycle_event) whenParentEnds(() => ask('SIGTERM'))
}

/** The exit code that a shell reports for a program that was ended by this signal. */
export const exitCodeOf = (signal: StopSignal): number => 128 + constants.signals[signal]

/** Calls `callback` when the parent process ends, because npm cannot forward the SIGKILL that ends npm itself. */
function whenParentEnds(callback: () => void) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    callback()
  }, PARENT_POLL_MS).unref()
}
