import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/**
 * Lets every request of the client, each repetition included, wait for `ensureHeld` right before it is
 * sent. A writer that was stopped for a while (a paused machine, a long collection of garbage) finds out
 * there that it has lost its lease, and not after it has written.
 */
export function fenceClient(client: DynamoDBClient, ensureHeld: () => Promise<void>): void {
  client.middlewareStack.add(
    next => async request => {
      await ensureHeld()
      return next(request)
    },
    // Behind the SDK's retries and signing, which stand earlier in this step.
    { step: 'finalizeRequest', priority: 'low', name: 'leaseFence', override: true },
  )
}
