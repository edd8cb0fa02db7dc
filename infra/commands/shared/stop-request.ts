import { exitCodeOf, whenAskedToStop } from './when-asked-to-stop.ts'

/** Whether a command was asked to end, as signals for what it does. */
export interface StopRequest {
  /** Aborted when it is asked. */
  stop: AbortSignal
  /** Aborted when it is asked once more, and is not to wait for anything. */
  endAtOnce: AbortSignal
  /** The exit code of a command that ends because it was asked to. */
  exitCode: number
}

/** From now on this process ends by itself, and as it sees fit, when a signal asks it to. */
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
