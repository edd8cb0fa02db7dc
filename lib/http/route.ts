import type { Resource } from '../query/endpoint.ts'

/** Where a path leads, and what stands before it: a stage or a path mapping of the gateway. */
export interface Route {
  endpoint: Resource
  /** The user's address, decoded. */
  address?: string
  prefix: string
}

/** The prefix goes into the addresses that answers tell, so it is made of what names a stage or a mapping. */
const USER_EVENTS = /^((?:\/[\w$.~-]+)*)\/v1\/user-events\/([^/]+)$/
const WITHOUT_ADDRESS = /^((?:\/[\w$.~-]+)*)\/v1\/(token-events|changes)$/

/** The endpoint that a path names; undefined for any other path. */
export function matchRoute(path: string): Route | undefined {
  const [, ownPrefix, endpoint] = WITHOUT_ADDRESS.exec(path) ?? []
  if (ownPrefix !== undefined) return { endpoint: endpoint as 'token-events' | 'changes', prefix: ownPrefix }
  const [, prefix, address] = USER_EVENTS.exec(path) ?? []
  if (prefix === undefined || address === undefined) return undefined
  return { endpoint: 'user-events', prefix, address: decode(address) }
}

const DOCUMENT = /^((?:\/[\w$.~-]+)*)\/(docs|docs\/[^/]*|page\/[^/]+|v1\/openapi\.json|v1\/status|llms\.txt)$/
/** Behind a stage or a path mapping of one segment at most: other paths that end with a slash are nobody's. */
const ROOT = /^((?:\/(?!v1\/)[\w$.~-]+)?)\/()$/

/**
 * What a path names beside the endpoints: the root (''), a page, a file of a page, the status, the OpenAPI document or
 * `/llms.txt`.
 */
export function matchDocument(path: string): { document: string; prefix: string } | undefined {
  const [, prefix, document] = matchRoute(path) ? [] : (DOCUMENT.exec(path) ?? ROOT.exec(path) ?? [])
  return prefix === undefined || document === undefined ? undefined : { document, prefix }
}

/** The path of an endpoint, as `matchRoute` reads it; half a pair of surrogates is written as U+FFFD. */
export const routePath = (endpoint: Resource, address = ''): string =>
  endpoint === 'user-events'
    ? `/v1/user-events/${encodeURIComponent(address.toWellFormed())}`
    : `/v1/${endpoint}`

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
