import { codeOf } from '../chain/nodes/rpc-errors.ts'
import { ApiError, ConnectionError } from '../client/create-events-client.ts'

/** By error code. */
export const UNREACHABLE_REASONS: Record<string, string> = {
  EBADPORT: 'HTTP clients refuse to use this port',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  ETIMEDOUT: 'it took too long',
}

export function unreachableReason(error: Error): string {
  if (error.name === 'TimeoutError') return 'it took too long'
  const { message = error.message } = (error.cause ?? {}) as Partial<Error>
  return UNREACHABLE_REASONS[codeOf(error) ?? ''] ?? message
}

const LETS_ONLY_SOME_IN = [401, 403]

/** If no service answers, the message explains why in words. */
export function explainClientError(error: unknown): string {
  const { message, cause } = error as Error
  if (error instanceof ApiError && LETS_ONLY_SOME_IN.includes(error.status))
    return `${message}: the service answers only callers with credentials. Use --token with a valid token, or --sign`
  if (!(error instanceof ConnectionError && cause instanceof Error)) return message
  return `${message.slice(0, message.lastIndexOf(': '))}: ${unreachableReason(cause)}`
}
