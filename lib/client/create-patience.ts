import { wait } from './send.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 300_000

export interface PatienceOptions {
  /** Ends a pause. */
  signal?: AbortSignal | undefined
  /** Called once per outage, with the first failure. If it throws, the outage is not waited out. */
  onTrouble?: ((error: Error) => void) | undefined
}

/** Waits out the outages of another program. */
export interface Patience {
  /** Pauses after a failure, each time for longer. Rejects with the signal's reason, or the error of `onTrouble`. */
  waitOut(error: Error): Promise<void>
  /** Ends the outage, so that the next failure is reported again. */
  recover(): void
}

export function createPatience({ signal, onTrouble }: PatienceOptions): Patience {
  let failures = 0
  return {
    async waitOut(error) {
      signal?.throwIfAborted()
      failures += 1
      if (failures === 1) onTrouble?.(error)
      await wait(pauseMsAfter(failures), signal)
    },
    recover() {
      failures = 0
    },
  }
}

/**
 * The pause after `failures` failures in a row: about a second, then twice as long each time, up to five minutes. The
 * random part spreads the retries of programs that failed at the same time.
 */
export function pauseMsAfter(failures: number): number {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
  return Math.round(pauseMs * (0.8 + Math.random() * 0.2))
}
