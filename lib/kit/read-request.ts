import { matchRoute } from '../http/route.ts'
import type { QueryInput } from '../query/parse-query.ts'
import { withoutPasswords } from './printable.ts'

export const noRequest = (text: string) =>
  new Error(
    `${withoutPasswords(text)} is not a request for events: it must look like user-events/0x…?limit=5 or https://events.example.org/v1/token-events?event=Minted`,
  )

const VERSION = '/v1/'

/** `text` is a path with a query string, optionally preceded by the service's address. Throws for any other text. */
export function readRequest(text: string): QueryInput {
  const url = URL.parse(text, 'http://service')
  if (!url) throw noRequest(text)
  const { pathname, searchParams } = url
  const start = pathname.lastIndexOf(VERSION)
  const route = matchRoute(start < 0 ? pathname.replace('/', VERSION) : pathname.slice(start))
  const { endpoint, address } = route ?? {}
  // A request to the feed of changes has no plan, because its reads depend on the log of revisions.
  if (endpoint === undefined || endpoint === 'changes') throw noRequest(text)
  return { endpoint, parameters: [...searchParams], ...(address !== undefined && { user: address }) }
}
