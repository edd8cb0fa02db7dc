import type { Authorize } from '../../../lib/client/create-events-client.ts'

export interface ServiceOptions {
  /** For each request. */
  timeoutMs: number
  /** Where the service is not public. */
  authorize?: Authorize | undefined
  /** Ends what is under way. */
  signal?: AbortSignal | undefined
}

/** Sends a request to a path of the service, and nothing again. */
export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>

/** A page of another origin; what stands there does not matter. */
const ORIGIN = 'https://smoke.example'

/** Requests to the service at that address, as a browser's page of another origin sends them. */
export function serviceRequests(
  baseUrl: string,
  { timeoutMs, authorize, signal }: ServiceOptions,
): SendRequest {
  const base = baseUrl.replace(/\/+$/, '')
  return async (path, init = {}) => {
    const url = `${base}${path}`
    const authorization = await authorize?.({ method: init.method ?? 'GET', url })
    return fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { accept: 'application/json', origin: ORIGIN, ...authorization, ...init.headers },
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    })
  }
}
