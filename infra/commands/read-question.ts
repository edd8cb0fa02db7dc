import { matchRoute } from '../../lib/http/route.ts'
import type { QueryInput } from '../../lib/query/parse-query.ts'

export class NoQuestionError extends Error {
  constructor(text: string) {
    super(`${text} is no question: it has to look like user-events/0x…?limit=5 or token-events?event=Minted`)
  }
}

/** Reads a question written as a request: path and query, with or without the address of the service. */
export function readQuestion(text: string): QueryInput {
  const [path = '', query = ''] = text.split('?', 2)
  const route = matchRoute(path.includes('/v1/') ? path : `/v1/${path.replace(/^\/+/, '')}`)
  if (!route) throw new NoQuestionError(text)
  const { endpoint, address } = route
  return {
    endpoint,
    parameters: [...new URLSearchParams(query)],
    ...(address !== undefined && { user: address }),
  }
}
