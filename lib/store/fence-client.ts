import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

export interface FencedClient {
  /** Whether DynamoDB has answered to every request of the last `ms` milliseconds, so that none is on its way. */
  isQuiet(ms: number): boolean
}

/**
 * Lets every request of the client, each repetition included, wait for `ensureHeld` right before it is
 * sent. A writer that was stopped for a while (a paused machine, a long collection of garbage) finds out
 * there that it has lost its lease, and not after it has written.
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
    // Behind the SDK's retries and signing, which stand earlier in this step.
    { step: 'finalizeRequest', priority: 'low', name: 'leaseFence', override: true },
  )
  return { isQuiet: ms => underWay === 0 && performance.now() - unansweredAt >= ms }
}

/** An error that DynamoDB has sent, unlike a broken connection or a time-out of ours. */
const isAnswer = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== undefined
