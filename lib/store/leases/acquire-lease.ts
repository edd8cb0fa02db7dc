import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../../events/networks.ts'
import { type Clock, MONOTONIC_CLOCK } from '../clock.ts'
import {
  type Checkpoint,
  type IndexState,
  indexStateKey,
  parseIndexState,
  type Scope,
} from '../format/checkpoint.ts'
import { isOfOtherKeys, TableFormatError } from '../format/table-format.ts'
import { tryAgain } from '../try-again.ts'
import { holdLease, type Lease, RENEWALS_PER_LEASE } from './hold-lease.ts'
import { LeaseHeldError } from './lease-errors.ts'

/** The default duration of a lease. After a writer is killed, the next writer waits this long. */
export const DEFAULT_LEASE_MS = 30_000

export interface LeaseOptions {
  client: DynamoDBClient
  tableName: string
  network: Network
  scope: Scope
  leaseMs?: number | undefined
  clock?: Clock | undefined
  signal?: AbortSignal | undefined
  /** If another writer holds the lease, called once, before the wait for that writer's next renewal. */
  onWait?: ((holder: LeaseHolder) => void) | undefined
  /** Called after each renewal, with the error if the renewal failed. */
  onRenewal?: ((failure?: unknown) => void) | undefined
}

/** The writer that already holds the lease. The holder may be dead. */
export interface LeaseHolder {
  owner: string
  /** The duration of the holder's lease. Other writers wait at most this long. */
  leaseMs: number
  /** How far the network is indexed. Undefined if no block is indexed. */
  checkpoint: Checkpoint | undefined
}

/**
 * Becomes the only writer of a network. If another writer holds the lease, waits. When the other writer renews its
 * lease, throws `LeaseHeldError`. When the other writer's lease expires, becomes the writer. Clocks of different
 * machines are never compared. If the signal aborts the wait, stores for how long the lease was watched, so that short
 * waits one after the other outlast any lease.
 */
export async function acquireLease(options: LeaseOptions): Promise<Lease> {
  const { network, clock = MONOTONIC_CLOCK, leaseMs = DEFAULT_LEASE_MS, signal, onRenewal } = options
  const table = { ...options, client: DynamoDBDocumentClient.from(options.client) }
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`
  const claim = { ...table, owner, leaseMs }
  let seen = await readState(table)
  let watchedSince = clock.now() - watchedMs(seen)
  const leftMs = ({ leaseMs: ofHolder }: LeaseHolder) => ofHolder - (clock.now() - watchedSince)
  if (seen?.leased) options.onWait?.(seen)
  try {
    for (;;) {
      if (!seen?.leased || leftMs(seen) <= 0) {
        const claimedAt = clock.now()
        const state = await claimLease(claim, seen)
        if (state) {
          const wasAtRest = seen?.atRest === true
          return holdLease({ ...claim, clock, state, renewedAt: claimedAt, wasAtRest, onRenewal })
        }
      } else {
        await clock.sleep(Math.min(seen.leaseMs / RENEWALS_PER_LEASE, leftMs(seen)), signal)
      }
      const found: IndexState | undefined = await readState(table)
      const isAlive = found?.fence !== seen?.fence || found?.renewals !== seen?.renewals
      if (found?.leased && isAlive) throw new LeaseHeldError({ network, owner: found.owner })
      if (isAlive) watchedSince = clock.now()
      seen = found
    }
  } catch (error) {
    if (signal?.aborted && seen?.leased) await recordWatch(table, seen, clock.now() - watchedSince)
    throw error
  }
}

/** For how long earlier writers have watched the current count of renewals. */
const watchedMs = (state: IndexState | undefined): number =>
  state?.watched?.renewals === state?.renewals ? (state?.watched?.ms ?? 0) : 0

/** Stores for how long the lease was watched, unless its holder has renewed it meanwhile. Never throws. */
async function recordWatch(
  { client, tableName, network }: StateTable,
  { fence, renewals }: IndexState,
  ms: number,
): Promise<void> {
  const command = new UpdateCommand({
    TableName: tableName,
    Key: indexStateKey(network),
    UpdateExpression: 'SET #watched = :watched',
    ConditionExpression: '#fence = :fence AND #renewals = :renewals',
    ExpressionAttributeNames: { '#watched': 'watched', '#fence': 'fence', '#renewals': 'renewals' },
    ExpressionAttributeValues: {
      ':watched': { renewals, ms: Math.floor(ms) },
      ':fence': fence,
      ':renewals': renewals,
    },
  })
  await client.send(command).catch(() => undefined)
}

interface StateTable {
  client: DynamoDBDocumentClient
  tableName: string
  network: Network
  scope: Scope
  signal?: AbortSignal | undefined
}

/** Reads the stored index state of a network. Undefined if no indexer with a lease has ever run for the network. */
export const readIndexState = (options: Omit<LeaseOptions, 'scope'>): Promise<IndexState | undefined> =>
  readState({ ...options, client: DynamoDBDocumentClient.from(options.client) })

/** Reads a network's item consistently. */
async function readState(table: Omit<StateTable, 'scope'>): Promise<IndexState | undefined> {
  const { client, tableName, network } = table
  const command = new GetCommand({ TableName: tableName, Key: indexStateKey(network), ConsistentRead: true })
  try {
    const { Item } = await tryAgain(() => client.send(command), table)
    return Item && parseIndexState(Item)
  } catch (error) {
    throw isOfOtherKeys(error) ? new TableFormatError({ tableName, cause: error }) : error
  }
}

/** Claims the lease. Resolves with the item of this writer, or undefined if another writer was faster. */
async function claimLease(
  claim: StateTable & { owner: string; leaseMs: number },
  seen: IndexState | undefined,
): Promise<IndexState | undefined> {
  const { client, tableName, network, owner, leaseMs, scope } = claim
  try {
    const command = new UpdateCommand({
      TableName: tableName,
      Key: indexStateKey(network),
      UpdateExpression: `SET #network = :network, #owner = :owner, #leased = :leased, #leaseMs = :leaseMs,
          #fence = :fence, #renewals = :renewals, #atRest = :atRest, #scope = if_not_exists(#scope, :scope)
          REMOVE #watched`,
      ConditionExpression: seen
        ? '#fence = :seenFence AND #renewals = :seenRenewals'
        : 'attribute_not_exists(#fence)',
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: {
        ':network': network,
        ':owner': owner,
        ':leased': true,
        ':leaseMs': leaseMs,
        ':fence': (seen?.fence ?? 0) + 1,
        ':renewals': (seen?.renewals ?? 0) + 1,
        ':atRest': false,
        ':scope': scope,
        ...(seen && { ':seenFence': seen.fence, ':seenRenewals': seen.renewals }),
      },
    })
    await tryAgain(() => client.send(command), claim)
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
  }
  // Read even after a failed condition: the SDK may have retried a request whose first attempt succeeded.
  const state = await readState(claim)
  return state?.owner === owner ? state : undefined
}

const NAMES = Object.fromEntries(
  ['network', 'owner', 'leased', 'leaseMs', 'fence', 'renewals', 'atRest', 'scope', 'watched'].map(name => [
    `#${name}`,
    name,
  ]),
)
