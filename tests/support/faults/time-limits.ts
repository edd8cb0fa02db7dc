import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Outcome } from './fault-proxy.ts'

/** The header in which the clients of `limitByOutcome` number their requests. */
export const CALL_HEADER = 'x-test-call'

const ONLY_A_HANG_MS = 600_000
const OWN_LIMITS = ['connectionTimeout', 'requestTimeout', 'socketTimeout']

/** The part of the SDK's request handler for Node.js that is used here. */
interface NodeHandler {
  updateHttpClientConfig(name: string, value: number): void
  httpHandlerConfigs(): { requestTimeout?: number; socketTimeout?: number }
}

export const handlerOf = ({ config }: { config: { requestHandler: object } }) =>
  config.requestHandler as unknown as NodeHandler

export function liftTimeLimits(client: DynamoDBClient): DynamoDBClient {
  for (const name of OWN_LIMITS) handlerOf(client).updateHttpClientConfig(name, ONLY_A_HANG_MS)
  return client
}

/**
 * Makes a client's timeouts depend on outcomes instead of the clock. A request that hangs times out immediately, and a
 * slow machine never causes a timeout. The returned function must be called with the outcome of each request.
 */
export function limitByOutcome(client: DynamoDBClient) {
  const limits: PromiseWithResolvers<never>[] = []
  liftTimeLimits(client).middlewareStack.add(
    next => args => {
      const limit = Promise.withResolvers<never>()
      const { headers } = args.request as { headers: Record<string, string> }
      headers[CALL_HEADER] = String(limits.push(limit) - 1)
      return Promise.race([next(args), limit.promise])
    },
    // Runs for each attempt, because this middleware comes after the SDK's retry middleware in the same step.
    { step: 'finalizeRequest', priority: 'low' },
  )
  return (call: string, outcome: Outcome): void => {
    const isEndless = outcome === 'hang' || (typeof outcome === 'object' && 'stalled' in outcome)
    const error = Object.assign(new Error('as arranged'), { name: 'TimeoutError' })
    if (isEndless) limits[Number(call)]?.reject(error)
  }
}
