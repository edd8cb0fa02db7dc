import type { QueryInput } from '../../../lib/query/parse-query.ts'
import type { ApiRequest } from '../requests/api-request.ts'

/** Converts a request to the input of the query layer. */
export const queryInputOf = ({ endpoint, address, query }: ApiRequest): QueryInput => ({
  endpoint,
  parameters: query,
  ...(address !== undefined && { user: address }),
})
