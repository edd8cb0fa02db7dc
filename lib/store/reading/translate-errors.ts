import { StoreUnavailableError } from '../../query/errors.ts'
import { isOfOtherKeys, TableFormatError } from '../format/table-format.ts'

const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TooManyRequestsException',
])

/**
 * Throws `StoreUnavailableError`, or `TableFormatError` for a table in another version's format. An error in the
 * service's set-up, such as a missing table or permission, is rethrown without the credentials in its text.
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

/** Whether DynamoDB rejected the request for a reason other than throttling. */
const isOurFault = (error: unknown): error is Error =>
  error instanceof Error && '$fault' in error && error.$fault === 'client' && !THROTTLES.has(error.name)

/** When DynamoDB rejects a signature, it quotes all signed text, including the session token. */
const withoutCredentials = (text: string) => text.replace(/(x-amz-security-token\s*[:=]\s*)\S+/gi, '$1…')
