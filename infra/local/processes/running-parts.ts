import { env, exit } from 'node:process'

/** Something that was started and must not outlive the stack. */
export interface Part {
  /** Resolves with the reason when it has ended. */
  ended: Promise<string>
  stop(): Promise<void>
}

export interface RunningParts {
  /** Aborted when everything is about to be stopped. */
  signal: AbortSignal
  add(part: Part): void
  /** For a part that is stopped while the others go on. */
  remove(part: Part): void
  /** Adds something to be done once all parts have been stopped. */
  whenStopped(cleanUp: () => Promise<void> | void): void
  /** Prints the reason, stops every part and exits with an error. */
  fail(reason: string): Promise<void>
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const PARENT_POLL_MS = 500

/**
 * Ties the parts of the stack together: a signal, the end of the npm that started us, or the end of any
 * part stops them all, last started first.
 */
export function runningParts(): RunningParts {
  const parts = new Set<Part>()
  const cleanUps: (() => Promise<void> | void)[] = []
  const stopping = new AbortController()

  const stopAll = async (exitCode: number) => {
    if (stopping.signal.aborted) return
    stopping.abort()
    for (const part of [...parts].reverse()) await part.stop()
    for (const cleanUp of cleanUps) await cleanUp()
    exit(exitCode)
  }
  const fail = async (reason: string) => {
    if (stopping.signal.aborted) return
    console.error(reason)
    await stopAll(1)
  }

  for (const signal of SIGNALS) process.on(signal, () => void stopAll(0))
  if (env.npm_lifecycle_event) whenParentEnds(() => void stopAll(0))
  return {
    signal: stopping.signal,
    fail,
    add(part) {
      parts.add(part)
      part.ended.then(reason => (parts.has(part) ? fail(reason) : undefined))
    },
    remove: part => parts.delete(part),
    whenStopped: cleanUp => cleanUps.push(cleanUp),
  }
}

/** npm passes on the signals that end it, except the one that can't be caught. */
function whenParentEnds(callback: () => void) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && callback(), PARENT_POLL_MS).unref()
}
