import { useEffect } from 'preact/hooks'
import { ConnectionError, UnavailableError } from '../../../client/create-events-client.ts'

const PAUSE_MS = 5000

/** Retries again and again while the error says that the service is stopped, busy or out of reach. */
export function useRetry(error: unknown, retry: () => void): void {
  useEffect(() => {
    if (!(error instanceof ConnectionError || error instanceof UnavailableError)) return undefined
    const timer = setTimeout(retry, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [error])
}
