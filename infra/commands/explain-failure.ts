/** One line for people about why a command could not reach or use its table. */
export function explainFailure(
  error: unknown,
  { endpoint, tableName }: { endpoint?: string; tableName: string },
): string {
  const { name, code, message } = error as Partial<NodeJS.ErrnoException>
  const where = endpoint ?? 'AWS'
  if (name === 'ResourceNotFoundException') return `There is no table ${tableName} at ${where}`
  if (name === 'CredentialsProviderError') return 'No AWS credentials were found; or give --endpoint'
  if (message === 'Region is missing') return 'No AWS region was found: give --region or set AWS_REGION'
  if (code !== undefined && code in UNREACHABLE)
    return `No DynamoDB answers at ${where}: ${UNREACHABLE[code]}`
  if (name === 'TimeoutError') return `No DynamoDB answers at ${where}: it took too long`
  return (message || String(error)).replace(/\s+/g, ' ')
}

const UNREACHABLE: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  ETIMEDOUT: 'it took too long',
}
