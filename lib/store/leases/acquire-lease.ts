import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { type Clock, MONOTONIC_CLOCK, startTimer } from '../clock.ts'
import type { NetworkTable } from '../event-table.ts'
import {
  type Checkpoint,
  type IndexState,
  indexStateKey,
  type LeaseState,
  parseLeaseState,
  type Scope,
} from '../format/checkpoint.ts'
import { isOfOtherKeys, TableFormatError } from '../format/table-format.ts'
import { isMet, tryAgain } from '../try-again.ts'
import { updateCommand } from '../update-command.ts'
import { holdLease, type Lease, RENEWALS_PER_LEASE } from './hold-lease.ts'
import { LeaseHeldError } from './lease-errors.ts'

/** The default duration of a lease. If a writer is killed, the next writer waits at most this long. */
export const DEFAULT_LEASE_MS = 30_000

export interface LeaseOptions extends NetworkTable {
  scope: Scope
  /** True by default. Only an indexer stores `scope`, because a repair does not decide what is indexed. */
  isIndexer?: boolean | undefined
  leaseMs?: number | undefined
  clock?: Clock | undefined
  /** Called at most once, and only if another writer holds the lease. */
  onWait?: ((holder: LeaseHolder) => void) | undefined
  /** Called after each attempted renewal, with the error if the renewal failed. */
  onRenewal?: ((failure?: unknown) => void) | undefined
}

/** The current holder of the lease, which may be dead. */
export interface LeaseHolder {
  owner: string
  /** The duration of the holder's lease. Other writers wait at most this long. */
  leaseMs: number
  checkpoint: Checkpoint | undefined
}

/**
 * Makes the caller the only writer of a network. If another writer holds the lease, waits until it expires. Throws
 * `LeaseHeldError` if a writer renews or acquires the lease meanwhile. Never compares clocks of different machines. If
 * the wait is aborted, stores how long it lasted, so that several short waits together can outlast any lease.
 */
export async function acquireLease(options: LeaseOptions): Promise<Lease> {
  const { network, clock = MONOTONIC_CLOCK, leaseMs = DEFAULT_LEASE_MS, signal, onRenewal } = options
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`
  const claim = { ...options, owner, leaseMs }
  let seen = await readLeaseState(options)
  let watchedSince = clock.now() - watchedMs(seen)
  const leftMs = ({ leaseMs: ofHolder }: LeaseHolder) => ofHolder - (clock.now() - watchedSince)
  if (seen?.leased) options.onWait?.(seen)
  try {
    for (;;) {
      if (!seen?.leased || leftMs(seen) <= 0) {
        const sinceRenewal = startTimer(clock)
        const state = await claimLease(claim, seen)
        if (state) {
          const wasAtRest = seen?.atRest === true
          const known = { ...state, scope: state.scope ?? options.scope }
          return holdLease({ ...claim, clock, state: known, sinceRenewal, wasAtRest, onRenewal })
        }
      } else {
        await clock.sleep(Math.min(seen.leaseMs / RENEWALS_PER_LEASE, leftMs(seen)), signal)
      }
      const found: LeaseState | undefined = await readLeaseState(options)
      const isAlive = found?.fence !== seen?.fence || found?.renewals !== seen?.renewals
      if (found?.leased && isAlive) throw new LeaseHeldError({ network, owner: found.owner })
      if (isAlive) watchedSince = clock.now()
      seen = found
    }
  } catch (error) {
    if (signal?.aborted && seen?.leased) await recordWatch(options, seen, clock.now() - watchedSince)
    throw error
  }
}

/** How long, in milliseconds, earlier waiting writers have seen `renewals` keep its current value. */
const watchedMs = (state: LeaseState | undefined): number =>
  state?.watched?.renewals === state?.renewals ? (state?.watched?.ms ?? 0) : 0

/** Stores how long the lease was watched, if its holder has not renewed it in the meantime. Never throws. */
async function recordWatch(
  { client, tableName, network }: NetworkTable,
  { fence, renewals }: LeaseState,
  ms: number,
): Promise<void> {
  const command = updateCommand({
    tableName,
    key: indexStateKey(network),
    set: { watched: { renewals, ms: Math.floor(ms) } },
    condition: '#fence = :fence AND #renewals = :renewals',
    values: { fence, renewals },
  })
  await DynamoDBDocumentClient.from(client)
    .send(command)
    .catch(() => undefined)
}

/** Undefined if no indexer has ever held the network's lease. */
export async function readIndexState(table: NetworkTable): Promise<IndexState | undefined> {
  const state = await readLeaseState(table)
  return state?.scope && { ...state, scope: state.scope }
}

/** Strongly consistent. Undefined if no writer has ever held the lease. */
export async function readLeaseState(table: NetworkTable): Promise<LeaseState | undefined> {
  const { client, tableName, network } = table
  const documents = DynamoDBDocumentClient.from(client)
  const command = new GetCommand({ TableName: tableName, Key: indexStateKey(network), ConsistentRead: true })
  try {
    const { Item } = await tryAgain(() => documents.send(command), table)
    return Item && parseLeaseState(Item)
  } catch (error) {
    throw isOfOtherKeys(error) ? new TableFormatError({ tableName, cause: error }) : error
  }
}

/** Resolves with undefined if another writer was faster. */
async function claimLease(
  claim: NetworkTable & Pick<LeaseOptions, 'scope' | 'isIndexer'> & { owner: string; leaseMs: number },
  seen: LeaseState | undefined,
): Promise<LeaseState | undefined> {
  const { client, tableName, network, owner, leaseMs, scope, isIndexer = true } = claim
  const { fence = 0, renewals = 0 } = seen ?? {}
  const command = updateCommand({
    tableName,
    key: indexStateKey(network),
    set: {
      ...{ network, owner, leased: true, leaseMs, atRest: false },
      ...{ fence: fence + 1, renewals: renewals + 1 },
    },
    assign: isIndexer ? ['#scope = if_not_exists(#scope, :scope)'] : [],
    remove: ['watched'],
    condition: seen ? '#fence = :seenFence AND #renewals = :seenRenewals' : 'attribute_not_exists(#fence)',
    values: { ...(isIndexer && { scope }), ...(seen && { seenFence: fence, seenRenewals: renewals }) },
  })
  await isMet(() => DynamoDBDocumentClient.from(client).send(command), claim)
  // The condition also fails if the SDK retried a request that had succeeded, so the result depends on the stored
  // owner.
  const state = await readLeaseState(claim)
  return state?.owner === owner ? state : undefined
}
