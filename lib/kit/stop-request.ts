import { constants } from 'node:os'
import { env } from 'node:process'

export interface StopRequest {
  /** Aborts on the first request. */
  stop: AbortSignal
  /** Aborts on the second request. The command must then end without waiting for anything. */
  endAtOnce: AbortSignal
  exitCode: number
}

/** The errors of writes to a pipe whose reader has ended, and to a terminal that was closed. */
const NOBODY_READS = ['EPIPE', 'EIO']

/**
 * Handles the signals that would end the process, so that the command can end its work properly. The command must also
 * stop when nobody reads its output any more. Any other failed write, for example to a full disk, only loses a message.
 */
export function stopRequest({ output = [process.stdout, process.stderr] } = {}): StopRequest {
  const stop = new AbortController()
  const endAtOnce = new AbortController()
  const request = { stop: stop.signal, endAtOnce: endAtOnce.signal, exitCode: 0 }
  whenAskedToStop(signal => {
    if (stop.signal.aborted) endAtOnce.abort(new Error('Stopped'))
    request.exitCode = exitCodeOf(signal)
    stop.abort(new Error('Stopped'))
  })
  workWithoutReader()
  for (const stream of output) {
    stream.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (stop.signal.aborted || !NOBODY_READS.includes(code)) return
      request.exitCode = exitCodeOf('SIGPIPE')
      stop.abort(new Error('Stopped'))
    })
  }
  return request
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type StopSignal = (typeof SIGNALS)[number]

/** Signals within this time count as one request, because Ctrl-C causes two: one from the terminal and one from npm. */
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
export const exitCodeOf = (signal: StopSignal | 'SIGPIPE'): number => 128 + constants.signals[signal]

/**
 * Ends a read-only command whose output cannot be written. If nobody reads the output any more, for example after
 * `| head`, the command exits with the code for SIGPIPE. Otherwise, the command prints the reason, such as a full disk.
 */
export function endWithoutReader({ code = '', message }: NodeJS.ErrnoException): void {
  if (NOBODY_READS.includes(code)) process.exit(exitCodeOf('SIGPIPE'))
  console.error(`The output cannot be written: ${message}`)
  process.exit(1)
}

/** Lets a command finish its work even if nobody reads its output, instead of stopping half-way. */
export function workWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.off('error', endWithoutReader)
    stream.on('error', () => undefined)
  }
}

/** Calls `callback` when the parent process ends, because npm cannot forward the SIGKILL that ends npm itself. */
function whenParentEnds(callback: () => void) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    callback()
  }, PARENT_POLL_MS).unref()
}
