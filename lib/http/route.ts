import type { Resource } from '../query/endpoints.ts'
import type { HttpRequest } from './http-request.ts'

/** `prefix` is the part of the path before `/v1`: the gateway's stage or path mapping. */
export interface Route {
  endpoint: Resource
  /** The user's decoded address. */
  address?: string
  prefix: string
}

/** The API's paths, as the documentation writes them. A test compares them with the paths in `serverless.yml`. */
export const API_PATHS = {
  'user-events': '/v1/user-events/{address}',
  'token-events': '/v1/token-events',
  changes: '/v1/changes',
  status: '/v1/status',
} as const satisfies Record<Resource | 'status', string>

/** URLs in answers repeat the prefix, so it may contain only characters that are valid in a stage or a path mapping. */
const USER_EVENTS = /^((?:\/[\w$.~-]+)*)\/v1\/user-events\/([^/]+)$/
const WITHOUT_ADDRESS = /^((?:\/[\w$.~-]+)*)\/v1\/(token-events|changes)$/

export function matchRoute(path: string): Route | undefined {
  const [, ownPrefix, endpoint] = WITHOUT_ADDRESS.exec(path) ?? []
  if (ownPrefix !== undefined) return { endpoint: endpoint as 'token-events' | 'changes', prefix: ownPrefix }
  const [, prefix, address] = USER_EVENTS.exec(path) ?? []
  if (prefix === undefined || address === undefined) return undefined
  return { endpoint: 'user-events', prefix, address: decode(address) }
}

const DOCUMENT = /^((?:\/[\w$.~-]+)*)\/(docs|docs\/[^/]*|page\/[^/]+|v1\/openapi\.json|v1\/status|llms\.txt)$/
/**
 * Matches the root, whose path may begin with a stage or a path mapping. Only the root and `/docs/` may end with a
 * slash.
 */
const ROOT = /^((?:\/(?!v1\/)[\w$.~-]+)?)\/()$/

/** A document is the root (''), a page, a file of a page, the status, the OpenAPI document or `/llms.txt`. */
export function matchDocument(path: string): { document: string; prefix: string } | undefined {
  const [, prefix, document] = matchRoute(path) ? [] : (DOCUMENT.exec(path) ?? ROOT.exec(path) ?? [])
  return prefix === undefined || document === undefined ? undefined : { document, prefix }
}

/** Returns a path that `matchRoute` parses. A lone surrogate, which no URL can encode, becomes U+FFFD. */
export const routePath = (endpoint: Resource, address = ''): string =>
  API_PATHS[endpoint].replace('{address}', () => encodeURIComponent(address.toWellFormed()))

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * Returns the configured URL. By default, returns a URL with the host that the gateway reports for the request. If the
 * gateway reports no host, returns only the path's prefix, so URLs in the answer are relative to the caller's host.
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
