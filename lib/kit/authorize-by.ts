import type { Command } from 'commander'
import type { Authorize } from '../client/create-events-client.ts'

/** How a command authenticates to a service that is not public. */
export interface AuthorizeOptions {
  token?: string
  sign: boolean
}

export const withAuthorizeOptions = (command: Command): Command =>
  command
    .option('--token <token>', 'a token, for a service with access: jwt')
    .option(
      '--sign',
      'sign requests with the AWS credentials of this shell, for a service with access: iam',
      false,
    )

export async function authorizeBy({ token, sign }: AuthorizeOptions): Promise<Authorize | undefined> {
  if (token) return () => ({ authorization: `Bearer ${token}` })
  // This module is loaded only when needed, because it searches for credentials.
  return sign ? (await import('./sign-requests.ts')).signRequests() : undefined
}
