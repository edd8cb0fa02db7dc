import { PARAMETERS } from '../../../client/parameters.ts'
import { queryString, type TokenQuery } from '../../../client/query.ts'
import type { Parameters, Question } from './question.ts'

/** A request for events, in the client's form. */
export interface EventsRequest {
  endpoint: 'user-events' | 'token-events'
  /** The user of user events. Empty for token events. */
  address: string
  query: TokenQuery
}

/**
 * The parameters that only token events have, except `user`. If a question has one of these parameters and a wallet,
 * the wallet becomes the filter `user` of token events.
 */
const TOKEN_PARAMETERS = PARAMETERS['token-events'].filter(
  name => name !== 'user' && !PARAMETERS['user-events'].some(other => other === name),
)

/** The number of records in a page of the list. */
export const PAGE_SIZE = 50
/** The maximum number of records in one answer of the service. */
export const MOST_AT_ONCE = 500

/** The request for a question. `extra` overrides the question's own parameters. */
export function requestOf({ wallet, parameters }: Question, extra: TokenQuery = {}): EventsRequest {
  const isOfUser = wallet !== undefined && !TOKEN_PARAMETERS.some(name => name in parameters)
  if (wallet === undefined || isOfUser) {
    const query = { limit: PAGE_SIZE, ...orderOf(parameters), ...clientQuery(parameters), ...extra }
    return { endpoint: isOfUser ? 'user-events' : 'token-events', address: wallet ?? '', query }
  }
  // If the question has `user` as well as a wallet, sends both addresses. The service then rejects the repeated
  // parameter.
  const user = [wallet, ...(parameters.user ?? [])]
  return requestOf({ parameters: { ...parameters, user } }, extra)
}

/** The parameter of the request that contains the question's wallet. Undefined without a wallet. */
export function walletParameter(question: Question): 'address' | 'user' | undefined {
  if (question.wallet === undefined) return undefined
  return requestOf(question).endpoint === 'user-events' ? 'address' : 'user'
}

/** The events of a transaction are shown in chain order, and other events newest first. */
const orderOf = ({ transactionHash, createdAt, blockNumber }: Parameters): TokenQuery =>
  transactionHash && !createdAt && !blockNumber ? { createdAt: 'asc' } : {}

/** The values are sent unchanged. The API checks their types. */
const clientQuery = (parameters: Parameters) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  ) as TokenQuery

/** The path and query of a request, to append to the service's URL. */
export function requestPath({ endpoint, address, query }: EventsRequest): string {
  const path = endpoint === 'user-events' ? `${endpoint}/${encodeURIComponent(address)}` : endpoint
  return `v1/${path}${queryString(query)}`
}

/** The kinds that a question filters by. All kinds if the question has no such filter. */
export const kindsOf = <Kind extends string>(
  { parameters }: Question,
  all: readonly Kind[],
): readonly Kind[] =>
  parameters.event === undefined ? all : all.filter(kind => parameters.event?.includes(kind))

/**
 * Whether the newest events come first, which is the default. `createdAt` takes precedence over the order by block
 * number.
 */
export const isNewestFirst = ({ parameters }: Question): boolean =>
  !(parameters.createdAt ?? parameters.blockNumber ?? [orderOf(parameters).createdAt]).includes('asc')
