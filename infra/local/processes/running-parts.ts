import { exit } from 'node:process'
import { printable } from '../../../lib/kit/printable.ts'
import { whenAskedToStop } from '../../../lib/kit/stop-request.ts'

/** A part of the stack, such as the engine, that must not outlive the stack. */
export interface Part {
  /** Resolves with the reason when the part has ended, whether or not `stop` was called. */
  ended: Promise<string>
  stop(): Promise<void>
}

export interface RunningParts {
  /** Aborted when the stack ends, before the parts are stopped. */
  signal: AbortSignal
  add(part: Part): void
  /** Removes a part, so that the part can be stopped while the others keep running. */
  remove(part: Part): void
  whenStopped(cleanUp: () => Promise<void> | void): void
  /** Prints the reason, stops every part and exits with an error. */
  fail(reason: string): Promise<void>
}

/** All parts are stopped, newest first, at a stop signal, or when the parent npm process or any part ends. */
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
