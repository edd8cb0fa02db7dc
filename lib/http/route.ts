import type { Resource } from '../query/endpoints.ts'

/** The prefix is the part before the endpoint: the gateway's stage or path mapping. */
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
/** A stage or a path mapping may come before the root. Only the root and `/docs/` may end with a slash. */
const ROOT = /^((?:\/(?!v1\/)[\w$.~-]+)?)\/()$/

/** A document is the root (''), a page, a file of a page, the status, the OpenAPI document or `/llms.txt`. */
export function matchDocument(path: string): { document: string; prefix: string } | undefined {
  const [, prefix, document] = matchRoute(path) ? [] : (DOCUMENT.exec(path) ?? ROOT.exec(path) ?? [])
  return prefix === undefined || document === undefined ? undefined : { document, prefix }
}

/** Returns a path that `matchRoute` parses. A lone surrogate in the address becomes U+FFFD. */
export const routePath = (endpoint: Resource, address = ''): string =>
  API_PATHS[endpoint].replace('{address}', () => encodeURIComponent(address.toWellFormed()))

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
