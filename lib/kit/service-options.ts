import type { Command } from 'commander'
import type { Authorize } from '../client/create-events-client.ts'
import { EVENT_KINDS, type EventKind } from '../events/event-kinds.ts'
import { NETWORKS, type Network } from '../events/networks.ts'
import { addAddress, addOneOf, parseAddress } from './parse-options.ts'

export interface AuthorizeOptions {
  token?: string
  sign: boolean
}

export const withAuthorizeOptions = (command: Command): Command =>
  command
    .option('--token <token>', 'a token to send, if the service is deployed with access: jwt')
    .option(
      '--sign',
      'sign requests with the AWS credentials of this shell, if the service is deployed with access: iam',
      false,
    )
    .hook('preAction', refuseUnsendableToken)

/** The message does not repeat the token, because messages are stored in logs. */
function refuseUnsendableToken(command: Command): void {
  if (/[^\x21-\x7e]/.test(command.getOptionValue('token') ?? ''))
    command.error(
      'error: --token must consist of visible ASCII characters, because bearer tokens contain no others',
    )
}

export async function authorizeBy({ token, sign }: AuthorizeOptions): Promise<Authorize | undefined> {
  if (token) return () => ({ authorization: `Bearer ${token}` })
  // The module is loaded only if requests are signed, because it also loads the SDK's search for credentials.
  return sign ? (await import('./sign-requests.ts')).signRequests() : undefined
}

export interface ChangesOptions extends AuthorizeOptions {
  network?: Network[]
  event?: EventKind[]
  address?: string[]
  user?: string
}

export const withChangesOptions = (command: Command): Command =>
  withAuthorizeOptions(command)
    .option('--network <name>', 'only events of this network; may be repeated', addOneOf(NETWORKS))
    .option('--event <kind>', 'only events of this kind; may be repeated', addOneOf(EVENT_KINDS))
    .option('--address <address>', 'only events of this token contract; may be repeated', addAddress)
    .option('--user <address>', 'only events in which this user takes part', parseAddress)
