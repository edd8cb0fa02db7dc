import { codeOf, NodesUnavailableError } from '../../../lib/ingest/chain/rpc-errors.ts'
import { StoreUnavailableError } from '../../../lib/query/errors.ts'
import { isOfOtherKeys, TableFormatError } from '../../../lib/store/table-format.ts'
import { WriteFailedError } from '../../../lib/store/try-again.ts'
import { UNREACHABLE_REASONS } from './unreachable-reasons.ts'

/** What the SDK calls an answer that is none of DynamoDB's. */
const NOT_OF_DYNAMODB = ['Unknown', 'UnknownError', 'SyntaxError']

/** What the SDK calls an answer that has not come in time. */
const TIMED_OUT = 'TimeoutError'

type Failure = Partial<NodeJS.ErrnoException> & { $metadata?: object }

/** One line for people about why a command could not reach or use its table. */
export function explainFailure(
  error: unknown,
  { endpoint, tableName }: { endpoint?: string; tableName: string },
): string {
  const failure = rootOf(error)
  if (isOfOtherKeys(failure)) return new TableFormatError({ tableName }).message
  const { name, code, message, $metadata } = failure as Failure
  const where = endpoint ?? 'AWS'
  const nodeCode = failure instanceof NodesUnavailableError ? codeOf(failure.cause) : undefined
  if (failure instanceof NodesUnavailableError && nodeCode !== undefined && nodeCode in UNREACHABLE_REASONS)
    return `No node answers at ${failure.nodes.join(', ')}: ${UNREACHABLE_REASONS[nodeCode]} (--rpc)`
  if (name === 'ResourceNotFoundException') return `There is no table ${tableName} at ${where}`
  if (name === 'CredentialsProviderError') return 'No AWS credentials were found; or give --endpoint'
  if (message === 'Region is missing') return 'No AWS region was found: give --region or set AWS_REGION'
  if (code !== undefined && code in UNREACHABLE_REASONS)
    return `No DynamoDB answers at ${where}: ${UNREACHABLE_REASONS[code]}`
  if (name === 'ValidationException' && message && /tableName/i.test(message))
    return `${tableName} is no name of a table: it has 3 to 255 letters, digits, dots, hyphens and underscores`
  if ($metadata && NOT_OF_DYNAMODB.includes(name ?? ''))
    return `Something other than DynamoDB answers at ${where}; npm start prints the address of its DynamoDB`
  if (name === TIMED_OUT) return `No DynamoDB answers at ${where}: it took too long`
  return (message || String(failure)).replace(/\s+/g, ' ')
}

/** To callers of the service it is all the same why the table fails; here the cause is what can be set right. */
function rootOf(error: unknown): unknown {
  if (error instanceof StoreUnavailableError) return error.cause
  if (!(error instanceof WriteFailedError)) return error
  const { code = '', name } = (error.cause ?? {}) as Failure
  return code in UNREACHABLE_REASONS || name === TIMED_OUT ? error.cause : error
}
