import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { type Clock, startTimer } from '../clock.ts'
import type { NetworkTable } from '../event-table.ts'
import {
  AUDIT_ATTRIBUTES,
  AUDITED_ATTRIBUTES,
  auditedAttributes,
  CHECKPOINT_ATTRIBUTES,
  type Checkpoint,
  type IndexState,
  indexStateKey,
  type Scope,
} from '../format/checkpoint.ts'
import { tryAgain } from '../try-again.ts'
import { updateCommand } from '../update-command.ts'
import { LeaseLostError } from './lease-errors.ts'

/** The number of renewals within a lease's duration, so that a lease expires only after several missed renewals. */
export const RENEWALS_PER_LEASE = 6
/** In this final part of a lease, every request waits for a renewal, so that requests end before the lease expires. */
const MARGIN_PART = 1 / 2

/** The right to write a network's events, which is renewed automatically until `end` is called or the lease is lost. */
export interface Lease {
  /** The fencing token, which increases whenever a writer acquires the lease. */
  readonly fence: number
  readonly scope: Scope
  /** Whether the previous writer, when it ended, recorded that none of its events was above the checkpoint. */
  readonly wasAtRest: boolean
  /** Lower from the beginning of a downward move on, even if the move fails. */
  readonly checkpoint: Checkpoint | undefined
  /** Aborts with a `LeaseLostError` when a DynamoDB response shows that another writer has acquired the lease. */
  signal: AbortSignal
  /** Renews the lease if necessary, or throws `LeaseLostError`. Await this immediately before each write request. */
  ensureHeld(): Promise<void>
  /** Moves the checkpoint, and lowers an audited block above it. Changes nothing if it throws `LeaseLostError`. */
  moveCheckpoint(checkpoint: Checkpoint, signal?: AbortSignal): Promise<void>
  /**
   * Deletes the checkpoint and the audited block, but keeps the scope and any recorded difference. Throws
   * `LeaseLostError`.
   */
  deleteCheckpoint(signal?: AbortSignal): Promise<void>
  /** Replaces the scope, and deletes the checkpoint and everything that audits stored. Throws `LeaseLostError`. */
  restart(scope: Scope, signal?: AbortSignal): Promise<void>
  /**
   * With `release`, the next writer need not wait until the lease expires. Set `release` only if no write is in flight,
   * and `atRest` only if none of this writer's events is above the checkpoint. With `signal`, tries again for about
   * half a minute if the release fails, unless the signal aborts. Never throws.
   */
  end(options: { release: boolean; atRest?: boolean; signal?: AbortSignal }): Promise<void>
}

interface HeldLease extends Omit<NetworkTable, 'signal'> {
  clock: Clock
  leaseMs: number
  state: IndexState
  /** How long ago the request that acquired the lease was sent, in milliseconds. */
  sinceRenewal: () => number
  wasAtRest: boolean
  onRenewal?: ((failure?: unknown) => void) | undefined
}

interface Change {
  set?: object
  remove?: readonly string[]
  /** A condition on the item, in addition to the condition on the fence. */
  condition?: string
  signal?: AbortSignal | undefined
}

const IS_AUDITED_FURTHER = '#auditedBlock > :blockNumber'

export function holdLease({
  client,
  tableName,
  network,
  clock,
  leaseMs,
  state,
  sinceRenewal,
  wasAtRest,
  onRenewal,
}: HeldLease): Lease {
  const lost = new AbortController()
  const ended = new AbortController()
  const documents = DynamoDBDocumentClient.from(client)
  let sinceSent = sinceRenewal
  let { scope, checkpoint } = state

  /** Makes the change and renews the lease, or throws `LeaseLostError` if the lease is lost. */
  async function update(change: Change) {
    if (await isAccepted(change)) return
    lost.abort(new LeaseLostError({ network }))
    throw lost.signal.reason
  }

  /** Resolves with false if the lease is lost or the change's own condition is not met. */
  async function isAccepted({ condition, signal, ...change }: Change): Promise<boolean> {
    if (lost.signal.aborted) throw lost.signal.reason
    const sinceStart = startTimer(clock)
    const command = updateCommand({
      ...change,
      tableName,
      key: indexStateKey(network),
      assign: ['#renewals = #renewals + :one'],
      condition: `#fence = :fence${condition ? ` AND ${condition}` : ''}`,
      values: { one: 1, fence: state.fence },
    })
    try {
      await documents.send(command, signal && { abortSignal: signal })
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      return false
    }
    if (sinceStart() < sinceSent()) sinceSent = sinceStart
    return true
  }

  /**
   * Audits need no lease, so an audit can move the audited block at the same time, but never above the checkpoint. If
   * neither condition is met, an audit has lowered the audited block between the requests, or the lease is lost.
   */
  async function moveBack(moved: Checkpoint, change: Change) {
    const set = { ...change.set, ...auditedAttributes(moved) }
    for (;;) {
      if (await isAccepted({ ...change, condition: `NOT (${IS_AUDITED_FURTHER})` })) return
      if (await isAccepted({ ...change, set, condition: IS_AUDITED_FURTHER })) return
      await update({ signal: change.signal })
    }
  }

  const isFresh = () => sinceSent() < leaseMs * (1 - MARGIN_PART)

  const beating = beat()
  async function beat() {
    while (!ended.signal.aborted && !lost.signal.aborted) {
      try {
        await clock.sleep(leaseMs / RENEWALS_PER_LEASE, ended.signal)
        await update({ signal: ended.signal })
        onRenewal?.()
      } catch (error) {
        // The loop continues with the next renewal. If no renewal succeeds in time, `ensureHeld` stops all writes.
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
      const change = { set: moved, remove, signal }
      const isBack = moved.blockNumber < (checkpoint?.blockNumber ?? 0)
      // A request without a response may take effect, and a writer whose checkpoint moved down is not at rest.
      if (isBack) checkpoint = moved
      await tryAgain(() => (isBack ? moveBack(moved, change) : update(change)), { tableName, signal })
      checkpoint = moved
    },
    async deleteCheckpoint(signal) {
      const remove = [...CHECKPOINT_ATTRIBUTES, ...AUDITED_ATTRIBUTES]
      checkpoint = undefined
      await tryAgain(() => update({ remove, signal }), { tableName, signal })
    },
    async restart(wanted, signal) {
      const remove = [...CHECKPOINT_ATTRIBUTES, ...AUDIT_ATTRIBUTES]
      const change = { set: { scope: wanted }, remove, signal }
      await tryAgain(() => update(change), { tableName, signal })
      scope = wanted
      checkpoint = undefined
    },
    async end({ release, atRest = false, signal }) {
      ended.abort()
      await beating
      const retries = { tableName, signal, ...(!signal && { maxTries: 1 }) }
      if (release)
        await tryAgain(() => update({ set: { leased: false, atRest } }), retries).catch(() => undefined)
    },
  }
}
