export type Endpoint = 'user-events' | 'token-events'

/** Decoded names and values, in the order in which they are sent. */
export interface ApiRequest {
  endpoint: Endpoint
  /** Only for `user-events`. */
  address?: string
  query: [name: string, value: string][]
}

type Query = ApiRequest['query'] | string

export const queryOf = (query: Query): ApiRequest['query'] =>
  typeof query === 'string' ? [...new URLSearchParams(query)] : query

export const userEvents = (address: string, query: Query = []): ApiRequest => ({
  endpoint: 'user-events',
  address,
  query: queryOf(query),
})

export const tokenEvents = (query: Query = []): ApiRequest => ({
  endpoint: 'token-events',
  query: queryOf(query),
})

export const pathOf = ({ endpoint, address }: ApiRequest): string =>
  endpoint === 'user-events' ? `/v1/user-events/${encodeURIComponent(address ?? '')}` : '/v1/token-events'

export const rawQueryOf = (query: ApiRequest['query']): string =>
  query.map(pair => pair.map(encodeURIComponent).join('=')).join('&')

/** The URL may come from a `Link` header. Throws for the URL of a different service. */
export function requestOfUrl(url: string): ApiRequest {
  const { pathname, searchParams } = new URL(url)
  const query = [...searchParams]
  if (pathname.endsWith('/v1/token-events')) return tokenEvents(query)
  const address = /\/v1\/user-events\/([^/]+)$/.exec(pathname)?.[1]
  if (address === undefined) throw new Error(`Not a path of the service: ${pathname}`)
  return userEvents(decodeURIComponent(address), query)
}

export const withoutParameters = (query: ApiRequest['query'], ...names: string[]): ApiRequest['query'] =>
  query.filter(([name]) => !names.includes(name))

export const parameterOf = ({ query }: ApiRequest, name: string) =>
  query.find(([given]) => given === name)?.[1]

export const skipOf = (request: ApiRequest): number => Number(parameterOf(request, 'skip') ?? 0)

export const limitOf = (request: ApiRequest): number =>
  Math.min(Number(parameterOf(request, 'limit') ?? 50), 500)
