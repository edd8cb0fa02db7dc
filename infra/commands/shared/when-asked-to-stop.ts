import { constants } from 'node:os'
import { env } from 'node:process'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type StopSignal = (typeof SIGNALS)[number]

/** Ctrl-C comes twice: from the terminal, and from npm, which passes it on. */
const SAME_REQUEST_MS = 500
const PARENT_POLL_MS = 500

/** Calls back each time this process is asked to end: by a signal, or because the npm that started it has ended. */
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

/** What a shell reports of a program that a signal has ended. */
export const exitCodeOf = (signal: StopSignal): number => 128 + constants.signals[signal]

/** npm passes on the signals that end it, except the one that can't be caught. */
function whenParentEnds(callback: () => void) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    callback()
  }, PARENT_POLL_MS).unref()
}
