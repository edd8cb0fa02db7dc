import { StoreUnavailableError } from '../../lib/query/errors.ts'
import { UNREACHABLE_REASONS } from '../unreachable-reasons.ts'

/** One line for people about why a command could not reach or use its table. */
export function explainFailure(
  error: unknown,
  { endpoint, tableName }: { endpoint?: string; tableName: string },
): string {
  // To callers of the service it is all the same why; here its cause is what can be set right.
  const failure = error instanceof StoreUnavailableError ? error.cause : error
  const { name, code, message } = failure as Partial<NodeJS.ErrnoException>
  const where = endpoint ?? 'AWS'
  if (name === 'ResourceNotFoundException') return `There is no table ${tableName} at ${where}`
  if (name === 'CredentialsProviderError') return 'No AWS credentials were found; or give --endpoint'
  if (message === 'Region is missing') return 'No AWS region was found: give --region or set AWS_REGION'
  if (code !== undefined && code in UNREACHABLE_REASONS)
    return `No DynamoDB answers at ${where}: ${UNREACHABLE_REASONS[code]}`
  if (name === 'TimeoutError') return `No DynamoDB answers at ${where}: it took too long`
  return (message || String(failure)).replace(/\s+/g, ' ')
}
