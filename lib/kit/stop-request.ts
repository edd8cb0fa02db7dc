import { exitCodeOf, whenAskedToStop } from './when-asked-to-stop.ts'

/** The requests to end a command, as abort signals for its work. */
export interface StopRequest {
  /** Aborted by the first request. */
  stop: AbortSignal
  /** Aborted by the second request. The command must then end without waiting for anything. */
  endAtOnce: AbortSignal
  /** The exit code of a command that ends on request. */
  exitCode: number
}

/** After this call, signals no longer end the process at once. The process ends when its work is done. */
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
