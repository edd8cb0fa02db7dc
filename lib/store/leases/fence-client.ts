import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/**
 * Makes the client await `ensureHeld` immediately before it sends each request, retries included. The machine or the
 * garbage collector may pause a writer for longer than its lease. If another writer has acquired the lease in the
 * meantime, the paused writer's next request fails instead of being sent.
 */
export function fenceClient(client: DynamoDBClient, ensureHeld: () => Promise<void>) {
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
    // The low priority makes the SDK's middleware for retries and signing run before this middleware.
    { step: 'finalizeRequest', priority: 'low', name: 'leaseFence', override: true },
  )
  /** True if no request is in flight, and every request that ended in the last `ms` milliseconds got a response. */
  return { isQuiet: (ms: number) => underWay === 0 && performance.now() - unansweredAt >= ms }
}

/** Whether the error is a response from DynamoDB, rather than a broken connection or a client-side timeout. */
const isAnswer = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== undefined
