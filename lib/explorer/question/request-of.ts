import { queryString, type TokenQuery, type UserQuery } from '../../client/query.ts'
import type { Parameters, Question } from './question.ts'

/** A request for events, as the client takes it. */
export interface EventsRequest {
  endpoint: 'user-events' | 'token-events'
  /** Of the user, for user events. */
  address: string
  query: TokenQuery
}

/** What only token events can be asked for, beside `user`. With one of these a wallet is one of their filters. */
const TOKEN_PARAMETERS = Object.keys({
  address: true,
  tokenId: true,
  owner: true,
  initialOwner: true,
  creator: true,
  from: true,
  to: true,
  operator: true,
} satisfies Record<Exclude<keyof TokenQuery, keyof UserQuery | 'user'>, true>)

/** Records that the page asks for at once. */
const PAGE_SIZE = 50

/** The request that answers a question; `extra` goes before what it says itself. */
export function requestOf({ wallet, parameters }: Question, extra: TokenQuery = {}): EventsRequest {
  const isOfUser = wallet !== undefined && !TOKEN_PARAMETERS.some(name => name in parameters)
  if (wallet === undefined || isOfUser) {
    const query = { limit: PAGE_SIZE, ...clientQuery(parameters), ...extra }
    return { endpoint: isOfUser ? 'user-events' : 'token-events', address: wallet ?? '', query }
  }
  // `user` beside a wallet is kept, and refused as given twice.
  const user = [wallet, ...(parameters.user ?? [])]
  return requestOf({ parameters: { ...parameters, user } }, extra)
}

/** Values are sent as they were given; whether they are of the type that they should have is for the API to say. */
const clientQuery = (parameters: Parameters) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  ) as TokenQuery

/** The address of a request, below that of the service. */
export function requestPath({ endpoint, address, query }: EventsRequest): string {
  const path = endpoint === 'user-events' ? `${endpoint}/${encodeURIComponent(address)}` : endpoint
  return `v1/${path}${queryString(query)}`
}

/** The kinds that a question is about; all, where it does not say. */
export const kindsOf = <Kind extends string>(
  { parameters }: Question,
  all: readonly Kind[],
): readonly Kind[] =>
  parameters.event === undefined ? all : all.filter(kind => parameters.event?.includes(kind))

/** Whether the newest come first, which is the default; the time goes before the block number. */
export const isNewestFirst = ({ parameters: { createdAt, blockNumber } }: Question): boolean =>
  !(createdAt ?? blockNumber)?.includes('asc')
