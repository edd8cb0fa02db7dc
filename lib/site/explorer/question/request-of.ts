import { PARAMETERS } from '../../../client/parameters.ts'
import { queryString, type TokenQuery } from '../../../client/query.ts'
import type { Parameters, Question } from './question.ts'

export interface EventsRequest {
  endpoint: 'user-events' | 'token-events'
  /** The user's address, or an empty string for token events. */
  address: string
  query: TokenQuery
}

/** If a question has a wallet and one of these parameters, the wallet becomes the `user` filter of token events. */
const TOKEN_PARAMETERS = PARAMETERS['token-events'].filter(
  name => name !== 'user' && !PARAMETERS['user-events'].some(other => other === name),
)

export const PAGE_SIZE = 50
/** The maximum page size of the service. */
export const MOST_AT_ONCE = 500

/** `extra` overrides the question's own parameters. */
export function requestOf({ wallet, parameters }: Question, extra: TokenQuery = {}): EventsRequest {
  const isOfUser = wallet !== undefined && !TOKEN_PARAMETERS.some(name => name in parameters)
  if (wallet === undefined || isOfUser) {
    const query = { limit: PAGE_SIZE, ...orderOf(parameters), ...clientQuery(parameters), ...extra }
    return { endpoint: isOfUser ? 'user-events' : 'token-events', address: wallet ?? '', query }
  }
  // If the question also has `user`, both addresses are sent, so that the service rejects the repeated parameter.
  return requestOf({ parameters: { ...parameters, user: [wallet, ...(parameters.user ?? [])] } }, extra)
}

export function walletParameter(question: Question): 'address' | 'user' | undefined {
  if (question.wallet === undefined) return undefined
  return requestOf(question).endpoint === 'user-events' ? 'address' : 'user'
}

/** By default, the events of a transaction are in chain order, and all other events are newest first. */
const orderOf = ({ transactionHash, createdAt, blockNumber }: Parameters): TokenQuery =>
  transactionHash && !createdAt && !blockNumber ? { createdAt: 'asc' } : {}

/** Passes the values on unchanged, because the API validates them. */
const clientQuery = (parameters: Parameters) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  ) as TokenQuery

/** Returns the path and the query to append to the service's URL. */
export function requestPath({ endpoint, address, query }: EventsRequest): string {
  const path = endpoint === 'user-events' ? `${endpoint}/${encodeURIComponent(address)}` : endpoint
  return `v1/${path}${queryString(query)}`
}

/**
 * Whether the newest events come first, which is the default except for a transaction. `createdAt` takes precedence
 * over a direction in `blockNumber`.
 */
export const isNewestFirst = ({ parameters }: Question): boolean =>
  !(parameters.createdAt ?? parameters.blockNumber ?? [orderOf(parameters).createdAt]).includes('asc')
