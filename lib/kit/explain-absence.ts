import { parseJson } from './parse-json.ts'
import { withoutPasswords } from './printable.ts'
import { type ServiceOptions, serviceRequests } from './service-requests.ts'
import { signingProblem, unreachableReason } from './unreachable-reasons.ts'

const PATH = '/v1/token-events?limit=1'
const UNAUTHORIZED = 401
const FORBIDDEN = 403
const NOT_FOUND = 404
const TOO_MANY = 429
const FIRST_SERVER_ERROR = 500

/**
 * Explains in one line why the service cannot be used. Undefined if the service answers, even with the status 429 or
 * 5xx.
 */
export async function explainAbsence(baseUrl: string, options: ServiceOptions): Promise<string | undefined> {
  try {
    const response = await serviceRequests(baseUrl, options)(PATH)
    const { status } = response
    if (status === UNAUTHORIZED || status === FORBIDDEN) return explainRefusal(baseUrl, status, options)
    if (status === TOO_MANY || status >= FIRST_SERVER_ERROR) return undefined
    if (status !== NOT_FOUND && isOurs(await response.text())) return undefined
    const target = response.headers.get('location')
    if (target !== null)
      return `${baseUrl} redirects to ${withoutPasswords(target)}: specify that address instead`
    const remedy = /\/v1\/*$/.test(baseUrl) ? '; specify the address without /v1' : ''
    return `Something other than the service answers at ${baseUrl}: ${status} for ${PATH}${remedy}`
  } catch (error) {
    const failure = error as Error
    return signingProblem(failure) ?? `Nothing answers at ${baseUrl}: ${unreachableReason(failure)}`
  }
}

function explainRefusal(baseUrl: string, status: number, { authorize }: ServiceOptions): string {
  const remedy = authorize
    ? 'check that the token has not expired and has the right issuer and audience, or that the AWS credentials may call the service'
    : 'if this service is not public, use --token or --sign'
  return `${baseUrl} refuses requests from this caller (${status}): ${remedy}`
}

/**
 * Whether the body could come from the service, whose answers are lists (for example, of events) or errors with an
 * `instance`.
 */
function isOurs(body: string): boolean {
  const answer = parseJson(body)
  return Array.isArray(answer) || (typeof answer === 'object' && answer !== null && 'instance' in answer)
}
