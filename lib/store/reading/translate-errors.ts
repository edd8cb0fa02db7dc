import { StoreUnavailableError } from '../../query/errors.ts'
import { isOfOtherKeys, TableFormatError } from '../format/table-format.ts'

/** The names of DynamoDB's throttling errors. */
const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TooManyRequestsException',
])

/**
 * Waits for DynamoDB's response, or for the failure of the SDK's last retry. Translates errors to
 * `StoreUnavailableError`, or to `TableFormatError` for a table of another version. An error of the service's own
 * set-up, such as a missing table or permission, is thrown again, without the credentials in its text.
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

/** Whether DynamoDB rejected the request as invalid. Throttling does not count. */
const isOurFault = (error: unknown): error is Error =>
  error instanceof Error && '$fault' in error && error.$fault === 'client' && !THROTTLES.has(error.name)

/**
 * Removes the session token, because DynamoDB's error for a rejected signature quotes all signed texts, including this
 * token.
 */
const withoutCredentials = (text: string) => text.replace(/(x-amz-security-token\s*[:=]\s*)\S+/gi, '$1…')
