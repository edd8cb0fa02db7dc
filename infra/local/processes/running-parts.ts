import { exit } from 'node:process'
import { printable } from '../../commands/shared/printable.ts'
import { whenAskedToStop } from '../../commands/shared/when-asked-to-stop.ts'

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
    console.error(printable(reason))
    await stopAll(1)
  }

  whenAskedToStop(() => void stopAll(0))
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
