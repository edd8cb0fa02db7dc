import { NETWORKS, type Network } from '../../events/networks.ts'
import { MAX_BLOCK_NUMBER, MAX_SECONDS } from '../../events/place.ts'
import { StoreUnavailableError } from '../../query/errors.ts'
import type { CallOptions, EventStore, ReadIndexedThrough, StoreCost } from '../../query/event-store.ts'
import type { AuditedThrough, IndexedThrough, IndexNote } from '../../query/indexed-through.ts'
import type { AttributeMap, EventTable } from '../event-table.ts'
import { isCount, notesIn } from '../format/indexed-since.ts'
import { CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from '../format/keys.ts'
import { isForm, requireForm } from '../format/table-form.ts'
import { sendQuery } from './send-query.ts'

/**
 * Each read is one eventually consistent Query of up to one read unit. A read can throw `StoreUnavailableError` or
 * `OtherNetworksError`.
 */
export function createCheckpointReader(table: EventTable): ReadIndexedThrough {
  return async () => {
    const { checkpoints, ...cost } = await queryCheckpoints(table)
    return { networks: checkpoints.flatMap(indexedThrough), ...cost }
  }
}

/** Like `createCheckpointReader`, but reads with strong consistency, at twice the price. */
export const createCurrentCheckpointReader =
  (table: EventTable): EventStore['readCheckpoints'] =>
  async options => {
    const { checkpoints, ...cost } = await queryCheckpoints(table, { ...options, isConsistent: true })
    const written = new Set(checkpoints.map(({ network }) => network))
    return { written, indexed: checkpoints.flatMap(indexedThrough), ...cost }
  }

/** A network's item, as readers parse it. Missing numbers other than `fence` are `NaN`. */
export interface StoredCheckpoint {
  network: Network
  hasBlock: boolean
  blockNumber: number
  timestamp: number
  finalizedBlock: number
  finalizedTimestamp: number
  auditedBlock: number
  auditedTimestamp: number
  /** The lowest block in which an audit has found a difference. */
  differentBlock: number
  notes: IndexNote[]
  /** The fencing token of the network's lease, or 0 if no writer has ever held the lease. */
  fence: number
  /**
   * Whether the last writer with a lease has ended and left none of its events above the checkpoint. Without a
   * checkpoint, it is enough that the last writer has ended, because the next indexer begins by appending a revision.
   * Also true if no writer has ever held the lease.
   */
  isAtRest: boolean
}

/**
 * Parses a network's item for readers, or returns undefined for an unknown network. Writers use `parseLeaseState`
 * instead.
 */
function checkpointIn(item: AttributeMap): StoredCheckpoint | undefined {
  const network = NETWORKS.find(known => known === item[PLACE_KEY]?.S)
  if (!network) return undefined
  const numberAt = (name: string) => Number(item[name]?.N)
  return {
    network,
    hasBlock: item.blockNumber !== undefined,
    blockNumber: numberAt('blockNumber'),
    timestamp: numberAt('timestamp'),
    finalizedBlock: numberAt('finalizedBlock'),
    finalizedTimestamp: numberAt('finalizedTimestamp'),
    auditedBlock: numberAt('auditedBlock'),
    auditedTimestamp: numberAt('auditedTimestamp'),
    differentBlock: numberAt('differentBlock'),
    notes: notesIn(item),
    fence: item.fence === undefined ? 0 : numberAt('fence'),
    isAtRest:
      item.fence === undefined ||
      (item.leased?.BOOL === false && (item.atRest?.BOOL === true || item.blockNumber === undefined)),
  }
}

/** A list of one element, or an empty list if no block is indexed or the item is malformed. */
export function indexedThrough(stored: StoredCheckpoint): IndexedThrough[] {
  const { network, blockNumber, timestamp, notes, finalizedBlock, finalizedTimestamp } = stored
  if (!isCount(blockNumber, MAX_BLOCK_NUMBER) || !isCount(timestamp, MAX_SECONDS)) return []
  const auditedThrough = auditedThroughIn(stored)
  const indexed = { network, blockNumber, timestamp, notes, ...(auditedThrough && { auditedThrough }) }
  if (!isCount(finalizedBlock, Number.MAX_SAFE_INTEGER)) return [indexed]
  // While an indexer catches up, the finalized block can be above the checkpoint. The last stored final block is then
  // the checkpoint's block.
  if (finalizedBlock >= blockNumber) {
    return [{ ...indexed, finalizedBlock: blockNumber, finalizedTimestamp: timestamp }]
  }
  const isTimeKnown = isCount(finalizedTimestamp, MAX_SECONDS)
  return [{ ...indexed, finalizedBlock, ...(isTimeKnown && { finalizedTimestamp }) }]
}

/**
 * Undefined if the stored audited block is above the checkpoint, because an indexer of an earlier version may have
 * lowered only the checkpoint. Also undefined if an audit has recorded a difference at or below the audited block,
 * because that audit may have ended before it lowered the audited block.
 */
function auditedThroughIn(stored: StoredCheckpoint): AuditedThrough | undefined {
  const { auditedBlock, auditedTimestamp, blockNumber, differentBlock } = stored
  const isThere =
    isCount(auditedBlock, blockNumber) &&
    isCount(auditedTimestamp, MAX_SECONDS) &&
    !(differentBlock <= auditedBlock)
  return isThere ? { blockNumber: auditedBlock, timestamp: auditedTimestamp } : undefined
}

interface CheckpointsQuery extends CallOptions {
  /** Strongly consistent reads cost twice as much. */
  isConsistent?: boolean
}

/** Sends one Query for all networks. Can throw `StoreUnavailableError` or `OtherNetworksError`. */
export async function queryCheckpoints(
  table: EventTable,
  { isConsistent = false, ...options }: CheckpointsQuery = {},
): Promise<StoreCost & { checkpoints: StoredCheckpoint[] }> {
  const { Items: items, ConsumedCapacity } = await sendQuery(
    { ...table, ...options },
    {
      TableName: table.tableName,
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': LIST_KEY },
      ExpressionAttributeValues: { ':list': { S: CHECKPOINTS_LIST } },
      ...(isConsistent && { ConsistentRead: true }),
      ReturnConsumedCapacity: 'TOTAL',
    },
  )
  if (!items) throw new StoreUnavailableError(new TypeError('The answer to a Query is incomplete'))
  requireForm(items.find(isForm), table, { isOneEnough: true })
  return {
    checkpoints: items.flatMap(item => checkpointIn(item) ?? []),
    calls: 1,
    examined: items.length,
    readUnits: ConsumedCapacity?.CapacityUnits ?? 0,
  }
}
