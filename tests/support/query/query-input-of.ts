import type { QueryInput } from '../../../lib/query/parse-query.ts'
import type { ApiRequest } from '../requests/api-request.ts'

export const queryInputOf = ({ endpoint, address, query }: ApiRequest): QueryInput => ({
  endpoint,
  parameters: query,
  ...(address !== undefined && { user: address }),
})
