import type { QueryInput } from '../../../lib/query/parse-query.ts'
import type { ApiRequest } from '../requests/api-request.ts'

/** The same query as the query layer is asked it. */
export const queryInputOf = ({ endpoint, address, query }: ApiRequest): QueryInput => ({
  endpoint,
  parameters: query,
  ...(address !== undefined && { user: address }),
})
