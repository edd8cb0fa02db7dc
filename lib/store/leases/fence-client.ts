import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

export interface FencedClient {
  /** Whether no request is in flight, and no request has failed without a response in the last `ms` milliseconds. */
  isQuiet(ms: number): boolean
}

/**
 * Makes every request of the client, retries included, wait for `ensureHeld` right before the request is sent. The
 * machine or the garbage collector may pause a writer. If its lease is lost during the pause, its next request throws
 * instead of being sent.
 */
export function fenceClient(client: DynamoDBClient, ensureHeld: () => Promise<void>): FencedClient {
  let underWay = 0
  let unansweredAt = Number.NEGATIVE_INFINITY
  client.middlewareStack.add(
    next => async request => {
      await ensureHeld()
      underWay += 1
      try {
        return await next(request)
      } catch (error) {
        if (!isAnswer(error)) unansweredAt = performance.now()
        throw error
      } finally {
        underWay -= 1
      }
    },
    // Because of the low priority, the SDK's middleware for retries and signing runs first in this step.
    { step: 'finalizeRequest', priority: 'low', name: 'leaseFence', override: true },
  )
  return { isQuiet: ms => underWay === 0 && performance.now() - unansweredAt >= ms }
}

/** Whether the error is a response of DynamoDB, and not a broken connection or a client-side timeout. */
const isAnswer = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== undefined
