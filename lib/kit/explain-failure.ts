import { codeOf, NodesUnavailableError } from '../chain/nodes/rpc-errors.ts'
import { StoreUnavailableError } from '../query/errors.ts'
import { isOfOtherKeys, TableFormatError } from '../store/format/table-format.ts'
import { TableBusyError } from '../store/try-again.ts'
import { NotDynamoDbError } from './check-table.ts'
import { reasonOf } from './unreachable-reasons.ts'

/** The names of the SDK's errors for a response that does not come from DynamoDB. */
const NOT_OF_DYNAMODB = ['Unknown', 'UnknownError', 'SyntaxError']

const TIMED_OUT = 'TimeoutError'

type Failure = Partial<NodeJS.ErrnoException> & { $metadata?: object }

/** Explains in one line why a command could not reach or use its table. */
export function explainFailure(
  error: unknown,
  { endpoint, table: tableName = '' }: { endpoint?: string; table?: string },
): string {
  const failure = rootOf(error)
  if (isOfOtherKeys(failure)) return new TableFormatError({ tableName }).message
  const { name, message, $metadata } = failure as Failure
  const where = endpoint ?? 'its AWS address'
  if (failure instanceof NodesUnavailableError) {
    const reason = reasonOf({ code: codeOf(failure.cause) })
    if (reason) return `No node answers at ${failure.nodes.join(', ')}: ${reason}. Check --rpc`
  }
  if (name === 'ResourceNotFoundException')
    return endpoint
      ? `There is no table ${tableName} at ${endpoint}: check --table and --endpoint`
      : `There is no table ${tableName} in this AWS account and region: check the name, the region and the credentials`
  if (name === 'CredentialsProviderError')
    return `No usable AWS credentials were found (${message}). Configure credentials, or specify another DynamoDB endpoint with --endpoint`
  if (message === 'Region is missing') return 'No AWS region was found: specify --region or set AWS_REGION'
  const reason = reasonOf(failure as Failure)
  if (reason) return `DynamoDB does not answer at ${where}: ${reason}`
  if (name === 'ValidationException' && message && /tableName/i.test(message))
    return `${tableName} is not a valid table name: it must consist of 3 to 255 letters, digits, dots, hyphens and underscores`
  if (failure instanceof NotDynamoDbError || ($metadata && NOT_OF_DYNAMODB.includes(name ?? '')))
    return `Something other than DynamoDB answers at ${where}. Specify another --endpoint; npm start prints the address of its DynamoDB`
  if (name === TIMED_OUT) return `DynamoDB at ${where} did not answer in time`
  return (message || String(failure)).replace(/\s+/g, ' ')
}

/**
 * Returns the cause of a table failure, which the service hides from callers, but which a command's user can often fix.
 */
function rootOf(error: unknown): unknown {
  if (error instanceof StoreUnavailableError) return error.cause
  if (!(error instanceof TableBusyError)) return error
  const cause = rootOf(error.cause ?? {}) as Failure
  return reasonOf(cause) || cause.name === TIMED_OUT ? cause : error
}
