import { matchRoute } from '../../../lib/http/route.ts'
import type { QueryInput } from '../../../lib/query/parse-query.ts'

export class NoRequestError extends Error {
  constructor(text: string) {
    super(`${text} is no request: it has to look like user-events/0x…?limit=5 or token-events?event=Minted`)
  }
}

const VERSION = '/v1/'

/** Reads a query written as a request: path and query, with or without the address of the service. */
export function readRequest(text: string): QueryInput {
  const url = URL.parse(text, 'http://service')
  if (!url) throw new NoRequestError(text)
  const { pathname, searchParams } = url
  const start = pathname.lastIndexOf(VERSION)
  const route = matchRoute(start < 0 ? pathname.replace('/', VERSION) : pathname.slice(start))
  const { endpoint, address } = route ?? {}
  // A turn of the feed of changes has no plan: what it reads depends on what has happened.
  if (endpoint === undefined || endpoint === 'changes') throw new NoRequestError(text)
  return {
    endpoint,
    parameters: [...searchParams],
    ...(address !== undefined && { user: address }),
  }
}
