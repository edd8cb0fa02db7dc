import type { HttpRequest } from './http-request.ts'
import { matchDocument, matchRoute } from './route.ts'

/**
 * Returns the configured URL. By default, returns a URL with the host that the gateway reports for the request. If the
 * gateway reports no host, returns only the path's prefix. URLs in the answer are then relative to the caller's host.
 */
export function baseUrlOf({ host, path }: HttpRequest, publicBaseUrl: string | undefined): string {
  if (publicBaseUrl) return publicBaseUrl.replace(/\/+$/, '')
  const prefix = (matchRoute(path) ?? matchDocument(path))?.prefix ?? ''
  return host === '' ? prefix : `https://${host}${prefix}`
}

export interface RequestedPage {
  /** The URL of the endpoint, with no query string. */
  resource: string
  parameters: readonly (readonly [name: string, value: string])[]
}

/** The value of `Link` (RFC 8288): the same request with `cursor` instead of `skip`. */
export function nextLink({ resource, parameters }: RequestedPage, cursor: string): string {
  const kept = parameters.filter(([name]) => name !== 'skip' && name !== 'cursor')
  const query = new URLSearchParams(kept.map(([name, value]): [string, string] => [name, value]))
  query.append('cursor', cursor)
  return `<${resource}?${query}>; rel="next"`
}
