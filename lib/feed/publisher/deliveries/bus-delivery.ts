import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { type Clock, MONOTONIC_CLOCK } from '../../../store/clock.ts'
import { requestLimits } from '../../../store/request-limits.ts'
import type { Target } from '../subscription.ts'
import { type BusEntry, requestsOf } from './bus-entries.ts'
import type { Delivery } from './delivery.ts'

export interface BusOptions {
  /** The service's URL, which precedes the path in references to large records. If undefined, only the path is sent. */
  publicBaseUrl?: string | undefined
  /** The AWS region of the bus. By default, the SDK determines the region, but ignores AWS_DEFAULT_REGION. */
  region?: string | undefined
  /** By default, a client for the region. */
  client?: EventBridgeClient | undefined
  clock?: Clock | undefined
}

const CONNECTION_TIMEOUT_MS = 1000
const REQUEST_TIMEOUT_MS = 5000
/**
 * The maximum number of requests for one list of entries. If an entry is still rejected after that, the attempt fails.
 */
const MAX_TRIES = 3
const FIRST_DELAY_MS = 200

export function openBusDelivery(
  { busName }: Extract<Target, { kind: 'bus' }>,
  { publicBaseUrl = '', region, client = createBusClient(region), clock = MONOTONIC_CLOCK }: BusOptions,
): Delivery {
  return {
    async deliver(batch, signal) {
      try {
        for (const entries of requestsOf(batch, { busName, publicBaseUrl })) {
          const failure = await putAll(entries, { client, clock, signal })
          if (failure !== undefined) return { is: 'failed', reason: `The bus rejected an event: ${failure}` }
        }
        return { is: 'accepted' }
      } catch (error) {
        signal.throwIfAborted()
        const { name, message } = error as Error
        return { is: 'failed', reason: `The bus could not be reached: ${name}: ${message}` }
      }
    },
    close: () => client.destroy(),
  }
}

const createBusClient = (region: string | undefined) =>
  new EventBridgeClient({
    ...(region && { region }),
    requestHandler: requestLimits({ connectionMs: CONNECTION_TIMEOUT_MS, answerMs: REQUEST_TIMEOUT_MS }),
  })

/** Resolves with the first rejected entry's error code, or with undefined if EventBridge accepts all entries. */
async function putAll(
  entries: readonly BusEntry[],
  { client, clock, signal }: { client: EventBridgeClient; clock: Clock; signal: AbortSignal },
): Promise<string | undefined> {
  let left = entries
  for (let tries = 1; ; tries += 1) {
    const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [...left] }), {
      abortSignal: signal,
    })
    const failed = left.findIndex((_, index) => Entries[index]?.EventId === undefined)
    if (failed < 0) return undefined
    const { ErrorCode = 'EventBridge did not give a reason' } = Entries[failed] ?? {}
    if (tries >= MAX_TRIES) return ErrorCode
    // The first rejected entry and all later entries are sent again, so that an event's newest change arrives last.
    left = left.slice(failed)
    await clock.sleep(FIRST_DELAY_MS * 2 ** tries, signal)
  }
}
