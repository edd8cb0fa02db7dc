import type { Authorize } from '../client/create-events-client.ts'

export interface ServiceOptions {
  /** The time limit of each request, in milliseconds. */
  timeoutMs: number
  /** Required if the service is not public. */
  authorize?: Authorize | undefined
  /** Aborts requests in progress. */
  signal?: AbortSignal | undefined
}

/** Sends a request to a path of the service, without retries. */
export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>

/** The `Origin` header of every request. Any origin that differs from the service's own would do. */
const ORIGIN = 'https://smoke.example'

/** Returns a function that sends requests to a service with the `Origin` header of a page on another site. */
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
