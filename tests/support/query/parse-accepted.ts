import { InvalidQueryError } from '../../../lib/query/errors.ts'
import { type ParsedQuery, parseQuery, type QueryInput } from '../../../lib/query/parse-query.ts'

/** Returns undefined if the service refuses the query. */
export function parseAccepted(input: QueryInput): ParsedQuery | undefined {
  try {
    return parseQuery(input)
  } catch (error) {
    if (error instanceof InvalidQueryError) return undefined
    throw error
  }
}
