import { InvalidQueryError } from '../../query/errors.ts'
import type { HttpRequest } from '../http-request.ts'

/** The status has no parameters, and ignores none, as the endpoints don't. Throws `InvalidQueryError`. */
export function refuseParameters(parameters: HttpRequest['parameters']): void {
  if (parameters.length === 0) return
  throw new InvalidQueryError(
    parameters.map(([parameter]) => ({ parameter, message: 'is not a parameter of status, which has none' })),
  )
}
