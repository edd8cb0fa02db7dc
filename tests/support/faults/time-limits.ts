import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Outcome } from './fault-proxy.ts'

/** The header in which a client with such limits numbers its requests. */
export const CALL_HEADER = 'x-test-call'

const ONLY_A_HANG_MS = 600_000
const OWN_LIMITS = ['connectionTimeout', 'requestTimeout', 'socketTimeout']

/** What the SDK's own handler for Node.js offers. */
interface NodeHandler {
  updateHttpClientConfig(name: string, value: number): void
  /** Empty until the first request. */
  httpHandlerConfigs(): { requestTimeout?: number; socketTimeout?: number }
}

export const handlerOf = ({ config }: DynamoDBClient) => config.requestHandler as unknown as NodeHandler

/** Lets a client wait for as long as it takes. Returns it. */
export function liftTimeLimits(client: DynamoDBClient): DynamoDBClient {
  for (const name of OWN_LIMITS) handlerOf(client).updateHttpClientConfig(name, ONLY_A_HANG_MS)
  return client
}

/**
 * Has a client's time limits be over by what happens, and not by the clock: at once where nothing more will come, and
 * never because the machine is slow. Returns a function that is to be told of the outcome of each request.
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
    // Behind the SDK's retries, which stand earlier in this step.
    { step: 'finalizeRequest', priority: 'low' },
  )
  return (call: string, outcome: Outcome): void => {
    const isEndless = outcome === 'hang' || (typeof outcome === 'object' && 'stalled' in outcome)
    const error = Object.assign(new Error('as arranged'), { name: 'TimeoutError' })
    if (isEndless) limits[Number(call)]?.reject(error)
  }
}
