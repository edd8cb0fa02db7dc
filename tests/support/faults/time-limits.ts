import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Outcome } from './fault-proxy.ts'

/** The header in which a client with such limits numbers its requests. */
export const CALL_HEADER = 'x-test-call'

const ONLY_A_HANG_MS = 600_000
const OWN_LIMITS = ['connectionTimeout', 'requestTimeout', 'socketTimeout']

/**
 * Has a client's time limits be over by what happens, and not by the clock: at once where nothing more will come, and
 * never because the machine is slow. Returns a function that is to be told of the outcome of each request.
 */
export function limitByOutcome({ config, middlewareStack }: DynamoDBClient) {
  const handler = config.requestHandler as unknown as {
    updateHttpClientConfig(name: string, value: number): void
  }
  for (const name of OWN_LIMITS) handler.updateHttpClientConfig(name, ONLY_A_HANG_MS)

  const limits: PromiseWithResolvers<never>[] = []
  middlewareStack.add(
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
