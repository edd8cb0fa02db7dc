import { StoreUnavailableError } from '../query/errors.ts'
import { isOfOtherKeys, TableFormatError } from './table-format.ts'

/** DynamoDB's names for "slow down". */
const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TooManyRequestsException',
])

/**
 * Waits for an answer from DynamoDB, after the SDK's own retries, and says in our own terms why there
 * is none: `StoreUnavailableError`, or `TableFormatError` for a table that another version has made. Another fault
 * of ours (a missing table or permission, a request that DynamoDB refuses) passes as it is.
 */
export async function translateErrors<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (!isOurFault(error)) throw new StoreUnavailableError(error)
    if (isOfOtherKeys(error)) throw new TableFormatError({ cause: error })
    error.message = withoutCredentials(error.message)
    if (error.stack !== undefined) error.stack = withoutCredentials(error.stack)
    throw error
  }
}

/** DynamoDB has answered, and says that the request is at fault, not that there are too many. */
const isOurFault = (error: unknown): error is Error =>
  error instanceof Error && '$fault' in error && error.$fault === 'client' && !THROTTLES.has(error.name)

/** A refused signature is told with all that was signed, the session's token included. */
const withoutCredentials = (text: string) => text.replace(/(x-amz-security-token\s*[:=]\s*)\S+/gi, '$1…')
