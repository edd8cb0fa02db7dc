import type { Authorize } from '../client/create-events-client.ts'
import { authorizeWithin } from '../client/send.ts'

export interface ServiceOptions {
  /** The timeout of a request, including `authorize`. */
  timeoutMs: number
  /** Required if the service is not public. */
  authorize?: Authorize | undefined
  signal?: AbortSignal | undefined
}

/** Sends a request once, without retries. */
export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>

/** The `Origin` header of a web page on another site. Any origin other than the service's own has the same effect. */
const ORIGIN = 'https://smoke.example'

export function serviceRequests(
  baseUrl: string,
  { timeoutMs, authorize, signal }: ServiceOptions,
): SendRequest {
  const base = baseUrl.replace(/\/+$/, '')
  return async (path, init = {}) => {
    const url = `${base}${path}`
    const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    const authorization = await authorizeWithin(limit, { authorize, method: init.method ?? 'GET', url })
    return fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { accept: 'application/json', origin: ORIGIN, ...authorization, ...init.headers },
      signal: limit,
    })
  }
}
