import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Context } from 'aws-lambda'
import type { Network } from '../../events/networks.ts'
import { parseJson } from '../../kit/parse-json.ts'
import { limitRun } from '../../store/clock.ts'
import type { ChangeFeed } from './change-feed.ts'
import { type DeliveryOptions, publishChanges } from './publish-changes.ts'
import { takePublisherLease } from './publisher-lease.ts'
import type { PublisherClock, PublishObserver, ServedSubscription } from './serving-context.ts'
import { parseSubscriptions } from './subscription.ts'
import { createSubscriptionStates } from './subscription-states.ts'

/** The last attempt begins at least this long before the deadline, because a webhook may take ten seconds to answer. */
const STOP_BEFORE_MS = 15_000
/** An attempt in flight is aborted this long before the deadline. */
const BREAK_OFF_BEFORE_MS = 3000

export interface RunObserver extends PublishObserver {
  served(told: ServedSubscription): void
  /** Called if this invocation does nothing because another publisher is still running. */
  busy(): void
}

export interface PublishHandlerOptions {
  /** Reads the list of subscriptions, as JSON. */
  readConfig: () => Promise<string>
  client: DynamoDBClient
  tableName: string
  /** Undefined if the table has all networks. */
  networks?: readonly Network[] | undefined
  feed: ChangeFeed
  delivery: DeliveryOptions
  observer: RunObserver
  /** Whether a run continues until its time is up. If false, the run ends as soon as everything is delivered. */
  follow: boolean
  clock?: PublisherClock
}

/** Thrown at the end of a run, after every subscription without problems was served. The message lists the problems. */
class PublishFailedError extends Error {
  override readonly name = 'PublishFailedError'
  readonly code = 'publish-failed'
}

/**
 * Serves every subscription. If any subscription fails, throws `PublishFailedError` at the end, so that the alarm
 * fires.
 */
export function createPublishHandler(options: PublishHandlerOptions) {
  const { client, tableName, networks, observer, follow, readConfig } = options
  return async (_event: unknown, context: Context): Promise<void> => {
    const holdMs = context.getRemainingTimeInMillis()
    const lease = await takePublisherLease({ client, tableName, holdMs, now: Date.now })
    if (!lease) return observer.busy()
    const limits = { stopBeforeMs: STOP_BEFORE_MS, breakOffBeforeMs: BREAK_OFF_BEFORE_MS }
    const { stop, breakOff: abort, end } = limitRun(context.getRemainingTimeInMillis(), limits)
    try {
      const { subscriptions, problems } = parseConfig(await readConfig(), networks)
      const states = createSubscriptionStates({ client, tableName })
      const served = await publishChanges({ ...options, subscriptions, states, once: !follow, stop, abort })
      for (const each of served) observer.served(each)
      const failures = served.flatMap(({ subscription, error }) =>
        error ? [`${subscription}: ${error.message}`] : [],
      )
      if (problems.length + failures.length > 0)
        throw new PublishFailedError([...problems, ...failures].join('; '))
    } finally {
      end()
      await lease.release()
    }
  }
}

function parseConfig(json: string, networks: PublishHandlerOptions['networks']) {
  const config = parseJson(json)
  return config === undefined
    ? { subscriptions: [], problems: ['The configuration of the publisher is not JSON'] }
    : parseSubscriptions(config, { allowLoopback: false, networks })
}
