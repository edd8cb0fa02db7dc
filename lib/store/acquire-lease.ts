import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../events/networks.ts'
import { type IndexState, indexStateKey, parseIndexState, type Scope } from './checkpoint.ts'
import { type Clock, MONOTONIC_CLOCK } from './clock.ts'
import { holdLease, type Lease, RENEWALS_PER_LEASE } from './hold-lease.ts'
import { LeaseHeldError } from './lease-errors.ts'
import { isOfOtherKeys, TableFormatError } from './table-format.ts'
import { tryAgain } from './try-again.ts'

/** A writer that is killed keeps others waiting for so long. */
export const DEFAULT_LEASE_MS = 30_000

export interface LeaseOptions {
  client: DynamoDBClient
  tableName: string
  network: Network
  scope: Scope
  leaseMs?: number | undefined
  clock?: Clock | undefined
  signal?: AbortSignal | undefined
  /** Called once where another writer holds the lease, before a sign of life of that writer is waited for. */
  onWait?: ((holder: LeaseHolder) => void) | undefined
  /** Called after each sign of life, with the failure where the table did not take it. */
  onRenewal?: ((failure?: unknown) => void) | undefined
}

/** Another writer, of whom nobody knows whether it is alive. */
export interface LeaseHolder {
  owner: string
  /** How long its lease lasts: the longest that others wait. */
  leaseMs: number
}

/**
 * Becomes the one writer of a network. When another writer holds the lease, waits just long enough to
 * see whether it is alive: throws `LeaseHeldError` at its first sign of life, and takes over when it has
 * given none for as long as its lease lasts. Clocks of different machines are never compared.
 */
export async function acquireLease(options: LeaseOptions): Promise<Lease> {
  const { network, clock = MONOTONIC_CLOCK, leaseMs = DEFAULT_LEASE_MS, signal, onRenewal } = options
  const table = { ...options, client: DynamoDBDocumentClient.from(options.client) }
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`
  const claim = { ...table, owner, leaseMs }
  let seen = await readState(table)
  let seenAt = clock.now()
  if (seen?.leased) options.onWait?.(seen)
  for (;;) {
    if (!seen?.leased || clock.now() - seenAt >= seen.leaseMs) {
      const claimedAt = clock.now()
      const state = await claimLease(claim, seen)
      if (state)
        return holdLease({
          ...claim,
          clock,
          state,
          renewedAt: claimedAt,
          wasAtRest: seen?.atRest === true,
          onRenewal,
        })
    } else {
      await clock.sleep(seen.leaseMs / RENEWALS_PER_LEASE, signal)
    }
    const found: IndexState | undefined = await readState(table)
    const isAlive = found?.fence !== seen?.fence || found?.renewals !== seen?.renewals
    if (found?.leased && isAlive) throw new LeaseHeldError({ network, owner: found.owner })
    if (isAlive) seenAt = clock.now()
    seen = found
  }
}

interface StateTable {
  client: DynamoDBDocumentClient
  tableName: string
  network: Network
  scope: Scope
  signal?: AbortSignal | undefined
}

/** How a network stands in the table now; undefined where nothing of it was ever indexed. */
export const readIndexState = (options: Omit<LeaseOptions, 'scope'>): Promise<IndexState | undefined> =>
  readState({ ...options, client: DynamoDBDocumentClient.from(options.client) })

/** A network's item as it stands now. */
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

/** The item with this writer as its owner; undefined when another one was faster. */
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
          #fence = :fence, #renewals = :renewals, #atRest = :atRest, #scope = if_not_exists(#scope, :scope)`,
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
  // Also after a refusal: the first try of a repeated request may have been the one that succeeded.
  const state = await readState(claim)
  return state?.owner === owner ? state : undefined
}

const NAMES = Object.fromEntries(
  ['network', 'owner', 'leased', 'leaseMs', 'fence', 'renewals', 'atRest', 'scope'].map(name => [
    `#${name}`,
    name,
  ]),
)
