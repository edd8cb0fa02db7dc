import { wait } from './send.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 300_000

export interface OutageOptions {
  /** Ends the current pause when aborted. */
  signal?: AbortSignal | undefined
  /**
   * Called once per outage, with the first failure. If the call throws, `waitOut` throws the error instead of pausing.
   */
  onTrouble?: ((error: Error) => void) | undefined
}

export type OutagePauses = ReturnType<typeof createOutagePauses>

/** Pauses between attempts while another program is unavailable. */
export function createOutagePauses({ signal, onTrouble }: OutageOptions) {
  let failures = 0
  return {
    /** Pauses after a failure, longer each time. Rejects with the signal's reason or the error of `onTrouble`. */
    async waitOut(error: Error) {
      signal?.throwIfAborted()
      failures += 1
      if (failures === 1) onTrouble?.(error)
      await wait(pauseMsAfter(failures), signal)
    },
    /** Marks the outage as over, so that the next failure is reported again. */
    recover() {
      failures = 0
    },
  }
}

/**
 * Returns about a second, doubled with each further failure, up to five minutes. The pause is partly random, so that
 * clients do not all retry at the same time.
 */
export function pauseMsAfter(failures: number): number {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
  return Math.round(pauseMs * (0.8 + Math.random() * 0.2))
}
