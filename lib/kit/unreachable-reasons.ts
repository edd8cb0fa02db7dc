import { codeOf } from '../chain/nodes/rpc-errors.ts'
import { ApiError, ConnectionError } from '../client/create-events-client.ts'

const NO_TLS = 'the server does not use TLS; try http:// instead of https://'
const CUT = 'the connection was closed unexpectedly'

const REASONS: Record<string, string> = {
  EBADPORT: 'HTTP clients refuse to use this port',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: CUT,
  UND_ERR_SOCKET: CUT,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'the host name cannot be resolved',
  ETIMEDOUT: 'the connection timed out',
}

/** Explains in words why no usable response came. Undefined for an error that has no known explanation. */
export function reasonOf({ code = '', message = '' }: Partial<NodeJS.ErrnoException>): string | undefined {
  // Node's `https` reports this code for every error of the TLS protocol, so the message must be checked too.
  return code === 'EPROTO' && message.includes('wrong version number') ? NO_TLS : REASONS[code]
}

export function unreachableReason(error: Error): string {
  if (error.name === 'TimeoutError') return 'the request timed out'
  const { message = error.message } = (error.cause ?? {}) as Partial<Error>
  return reasonOf({ code: codeOf(error), message }) ?? message
}

/** Explains that a request could not be signed, because AWS credentials are missing. Undefined for any other error. */
export function signingProblem({ name, message }: Error): string | undefined {
  return name === 'CredentialsProviderError'
    ? `Requests cannot be signed (--sign) without AWS credentials: ${message}`
    : undefined
}

const LETS_ONLY_SOME_IN = [401, 403]
const NOT_FOUND = 404

/**
 * If no service answers, or the request could not be signed, the message explains why in words. The message ends
 * without a full stop, so that commands can continue the sentence.
 */
export function explainClientError(error: unknown): string {
  const { cause } = error as Error
  const message = (error as Error).message.replace(/\.$/, '')
  if (error instanceof ApiError && LETS_ONLY_SOME_IN.includes(error.status))
    return `${message}: the service requires credentials. Use --token with a valid token, or --sign`
  if (error instanceof ApiError && error.problem?.status === NOT_FOUND)
    return `${message}. Specify the address of the service without /v1. If the service lacks a path that this command needs, update the service`
  if (!(error instanceof ConnectionError && cause instanceof Error)) return message
  return (
    signingProblem(cause) ?? `${message.slice(0, message.lastIndexOf(': '))}: ${unreachableReason(cause)}`
  )
}
