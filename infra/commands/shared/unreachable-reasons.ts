/** The reason for a failed or broken connection, in words, for each error code. */
export const UNREACHABLE_REASONS: Record<string, string> = {
  EBADPORT: 'HTTP clients do not ask this port',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  ETIMEDOUT: 'it took too long',
}

/** Returns the reason, in words, why `fetch` failed. */
export function unreachableReason({ name, message, cause }: Error): string {
  if (name === 'TimeoutError') return 'it took too long'
  const { code = '', message: detail = message } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  return UNREACHABLE_REASONS[code] ?? detail
}
