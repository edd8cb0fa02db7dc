import type { Command } from 'commander'
import type { Authorize } from '../../../lib/client/create-events-client.ts'

/** How a command shows a service that is not public who asks. */
export interface AuthorizeOptions {
  token?: string
  sign: boolean
}

export const withAuthorizeOptions = (command: Command): Command =>
  command
    .option('--token <token>', 'where the service takes tokens (access: jwt)')
    .option('--sign', 'sign requests with the AWS credentials of this shell (access: iam)', false)

export async function authorizeBy({ token, sign }: AuthorizeOptions): Promise<Authorize | undefined> {
  if (token) return () => ({ authorization: `Bearer ${token}` })
  // Loaded when it is needed: it looks for credentials.
  return sign ? (await import('./sign-requests.ts')).signRequests() : undefined
}
