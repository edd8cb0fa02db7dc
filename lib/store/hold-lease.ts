import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../events/networks.ts'
import { type Checkpoint, type IndexState, indexStateKey, type Scope } from './checkpoint.ts'
import type { Clock } from './clock.ts'
import { LeaseLostError } from './lease-errors.ts'
import { tryAgain } from './try-again.ts'

/** A holder gives a sign of life after this part of its lease: one that gives none has missed several. */
export const RENEWALS_PER_LEASE = 6
/** No request is sent in this last part of a lease, so that what is under way has ended when it expires. */
const MARGIN_PART = 1 / 2
/** What a client that writes under a lease may let a request take: far less than the margin of the default lease. */
export const REQUEST_TIMEOUT_MS = 5000
const CHECKPOINT_ATTRIBUTES = [
  'blockNumber',
  'blockHash',
  'timestamp',
  'finalizedBlock',
  'finalizedTimestamp',
  'indexedSince',
] as const satisfies (keyof Checkpoint)[]

/** The right to write the events of a network, kept alive until it ends or is lost. */
export interface Lease {
  /** The fencing token: rises with every change of the writer. */
  readonly fence: number
  readonly scope: Scope
  /** Whether the writer before has left nothing unfinished. */
  readonly wasAtRest: boolean
  /** How far the table is; undefined when nothing is indexed. */
  readonly checkpoint: Checkpoint | undefined
  /** Aborted, with a `LeaseLostError`, once another writer is known to have taken over. */
  signal: AbortSignal
  /** To be awaited right before each request that writes. Throws `LeaseLostError`. */
  ensureHeld(): Promise<void>
  /** Stores how far the table is now. Throws `LeaseLostError`, and has changed nothing then. */
  moveCheckpoint(checkpoint: Checkpoint, signal?: AbortSignal): Promise<void>
  /** Begins anew, for another scope: forgets the checkpoint. Throws `LeaseLostError`. */
  restart(scope: Scope, signal?: AbortSignal): Promise<void>
  /**
   * Gives no further sign of life. With `release`, others may go on at once, rather than after the lease's
   * time; only for a writer of whose writes none is on its way any more. `atRest` where nothing that this writer has
   * stored is above the checkpoint. Never throws.
   */
  end(options: { release: boolean; atRest?: boolean }): Promise<void>
}

interface HeldLease {
  client: DynamoDBDocumentClient
  tableName: string
  network: Network
  clock: Clock
  leaseMs: number
  state: IndexState
  /** When the request that took the lease was sent. */
  renewedAt: number
  wasAtRest: boolean
  onRenewal?: ((failure?: unknown) => void) | undefined
}

interface Change {
  set?: object
  remove?: readonly string[]
  signal?: AbortSignal | undefined
}

export function holdLease({
  client,
  tableName,
  network,
  clock,
  leaseMs,
  state,
  renewedAt,
  wasAtRest,
  onRenewal,
}: HeldLease): Lease {
  const lost = new AbortController()
  const ended = new AbortController()
  let sentAt = renewedAt
  let { scope, checkpoint } = state

  /** Every change of the item is also a sign of life, and is refused once the fence has risen. */
  async function update({ set = {}, remove = [], signal }: Change) {
    if (lost.signal.aborted) throw lost.signal.reason
    const startedAt = clock.now()
    const assignments = [
      '#renewals = #renewals + :one',
      ...Object.keys(set).map(name => `#${name} = :${name}`),
    ]
    const removals = remove.length > 0 ? ` REMOVE ${remove.map(name => `#${name}`).join(', ')}` : ''
    const names = ['renewals', 'fence', ...Object.keys(set), ...remove]
    const command = new UpdateCommand({
      TableName: tableName,
      Key: indexStateKey(network),
      UpdateExpression: `SET ${assignments.join(', ')}${removals}`,
      ConditionExpression: '#fence = :fence',
      ExpressionAttributeNames: Object.fromEntries(names.map(name => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':one': 1,
        ':fence': state.fence,
        ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      },
    })
    try {
      await client.send(command, signal && { abortSignal: signal })
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      lost.abort(new LeaseLostError({ network, cause: error }))
      throw lost.signal.reason
    }
    sentAt = Math.max(sentAt, startedAt)
  }

  const isFresh = () => clock.now() - sentAt < leaseMs * (1 - MARGIN_PART)

  const beating = beat()
  async function beat() {
    while (!ended.signal.aborted && !lost.signal.aborted) {
      try {
        await clock.sleep(leaseMs / RENEWALS_PER_LEASE, ended.signal)
        await update({ signal: ended.signal })
        onRenewal?.()
      } catch (error) {
        // The next beat tries again; `ensureHeld` lets nobody write meanwhile once the margin is reached.
        if (!ended.signal.aborted && !lost.signal.aborted) onRenewal?.(error)
      }
    }
  }

  return {
    fence: state.fence,
    wasAtRest,
    get scope() {
      return scope
    },
    get checkpoint() {
      return checkpoint
    },
    signal: lost.signal,
    async ensureHeld() {
      while (!isFresh()) await update({})
      if (lost.signal.aborted) throw lost.signal.reason
    },
    async moveCheckpoint(moved, signal) {
      const remove = CHECKPOINT_ATTRIBUTES.filter(name => moved[name] === undefined)
      await tryAgain(() => update({ set: moved, remove, signal }), { tableName, signal })
      checkpoint = moved
    },
    async restart(wanted, signal) {
      const change = { set: { scope: wanted }, remove: CHECKPOINT_ATTRIBUTES, signal }
      await tryAgain(() => update(change), { tableName, signal })
      scope = wanted
      checkpoint = undefined
    },
    async end({ release, atRest = false }) {
      ended.abort()
      await beating
      if (release) await update({ set: { leased: false, atRest } }).catch(() => undefined)
    },
  }
}
