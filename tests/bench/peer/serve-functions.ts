/**
 * Runs the functions with the environment of this process, serves them behind a small gateway, and sends the gateway's
 * address to the parent process.
 */
import type { LambdaHandler } from '../../support/http/ask.ts'
import { type Functions, listenFor } from '../../support/http/listen.ts'

// In a deployment, this variable contains the version in package.json.
process.env.SERVICE_VERSION ??= 'measured'

const functions = {
  'user-events': (await import('../../../functions/user-events.ts')).handler,
  'token-events': (await import('../../../functions/token-events.ts')).handler,
  docs: (await import('../../../functions/docs.ts')).handler,
  status: (await import('../../../functions/status.ts')).handler,
  fallback: (await import('../../../functions/fallback.ts')).handler,
} as unknown as Record<keyof Functions, LambdaHandler>

const listening = await listenFor(() => functions)
process.once('disconnect', () => void listening.stop())
process.send?.({ baseUrl: listening.baseUrl })
