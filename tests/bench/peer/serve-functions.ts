/**
 * Runs the functions that answer queries, with the environment of this process. Serves them behind a small gateway, and
 * sends the gateway's address to the parent process.
 */
import { type Functions, listenFor } from '../../support/http/listen.ts'

// In a deployment, this variable contains the version in package.json.
process.env.SERVICE_VERSION ??= 'measured'

const functions = {
  'user-events': (await import('../../../functions/user-events.ts')).handler,
  'token-events': (await import('../../../functions/token-events.ts')).handler,
} as unknown as Functions

const listening = await listenFor(() => functions)
process.once('disconnect', () => void listening.stop())
process.send?.({ baseUrl: listening.baseUrl })
