import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Outcome } from './fault-proxy.ts'

/** The header in which a client with such limits numbers its requests. */
export const CALL_HEADER = 'x-test-call'

const ONLY_A_HANG_MS = 600_000

/** What the SDK's own handler for Node.js can do. */
interface NodeRequestHandler {
  updateHttpClientConfig(name: string, value: number): void
  handle(
    request: { headers: Record<string, string> },
    options?: { abortSignal?: AbortSignal },
  ): Promise<unknown>
}

/**
 * Has a client's limits of time pass by what happens and not by the clock: at once where nothing more will come, and
 * never on a slow machine. Returns what has to be told of the outcome of each request, by its number.
 */
export function limitByOutcome(client: DynamoDBClient) {
  const requestHandler = client.config.requestHandler as unknown as NodeRequestHandler
  for (const name of ['connectionTimeout', 'requestTimeout', 'socketTimeout']) {
    requestHandler.updateHttpClientConfig(name, ONLY_A_HANG_MS)
  }
  const calls: { limit: AbortController; begun: PromiseWithResolvers<void> }[] = []
  const handle = requestHandler.handle.bind(requestHandler)

  requestHandler.handle = async (request, options) => {
    const limit = new AbortController()
    const begun = Promise.withResolvers<void>()
    request.headers[CALL_HEADER] = String(calls.push({ limit, begun }) - 1)
    const given = options?.abortSignal ? [options.abortSignal] : []
    try {
      const abortSignal = AbortSignal.any([limit.signal, ...given])
      const answered = await handle(request, { ...options, abortSignal })
      begun.resolve()
      return answered
    } catch (error) {
      throw limit.signal.aborted ? Object.assign(new Error('as arranged'), { name: 'TimeoutError' }) : error
    }
  }

  return async (call: number, outcome: Outcome): Promise<void> => {
    const { limit, begun } = calls[call] ?? {}
    if (typeof outcome === 'object' && 'stalled' in outcome) await begun?.promise
    else if (outcome !== 'hang') return
    limit?.abort()
  }
}
