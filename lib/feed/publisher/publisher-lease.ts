import { randomUUID } from 'node:crypto'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { EventTable } from '../../store/event-table.ts'
import { LIST_KEY, PLACE_KEY, SUBSCRIPTIONS_LIST } from '../../store/format/keys.ts'
import { isMet } from '../../store/try-again.ts'
import { updateCommand } from '../../store/update-command.ts'

/** The sort key of the lease. No subscription can have this name. */
const LEASE_PLACE = '#lease'

interface LeaseOptions extends EventTable {
  /** The publisher must not run longer than this. */
  holdMs: number
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * Makes the caller the only running publisher, or resolves with undefined if another publisher is running. The lease
 * only avoids duplicate work, so approximately equal clocks are sufficient. Publishers cannot overwrite each other's
 * states, because every write has a condition (`createSubscriptionStates`).
 */
export async function takePublisherLease(options: LeaseOptions) {
  const { tableName, holdMs, now } = options
  const client = DynamoDBDocumentClient.from(options.client)
  const owner = randomUUID()

  function holdUntil(heldUntil: number): Promise<boolean> {
    const command = updateCommand({
      tableName,
      key: { [LIST_KEY]: SUBSCRIPTIONS_LIST, [PLACE_KEY]: LEASE_PLACE },
      set: { owner, heldUntil },
      condition: 'attribute_not_exists(#owner) OR #owner = :owner OR #heldUntil < :now',
      values: { now: now() },
    })
    return isMet(() => client.send(command), { tableName })
  }

  return (await holdUntil(now() + holdMs)) ? { release: async () => void (await holdUntil(0)) } : undefined
}
