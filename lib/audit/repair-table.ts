import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { ProvableHeader } from '../chain/nodes/block-header.ts'
import type { Network } from '../events/networks.ts'
import {
  BEGINNING,
  beforeSecond,
  compareByTime,
  decodePlace,
  endOfBlock,
  type Place,
  placeOf,
} from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { removalOf } from '../events/revision.ts'
import { type Clock, MONOTONIC_CLOCK } from '../store/clock.ts'
import type { EventTable } from '../store/event-table.ts'
import type { Checkpoint, Scope } from '../store/format/checkpoint.ts'
import { noteIndexed } from '../store/format/indexed-since.ts'
import { acquireLease, DEFAULT_LEASE_MS, type LeaseHolder } from '../store/leases/acquire-lease.ts'
import { fenceClient } from '../store/leases/fence-client.ts'
import type { Lease } from '../store/leases/hold-lease.ts'
import { appendRevision } from '../store/writing/append-revision.ts'
import { deleteBlockTimes } from '../store/writing/block-times.ts'
import { deleteEvents } from '../store/writing/delete-events.ts'
import {
  addChunkLists,
  checkpointToRemember,
  chunkListsOf,
  isAtRest,
  putRecentBlocks,
  type RecentBlock,
  type RecentBlocksTable,
  readRecentBlocks,
} from '../store/writing/recent-blocks.ts'
import { writeEvents } from '../store/writing/write-events.ts'
import type { BlocksToAudit } from './audit-blocks.ts'
import type { Difference } from './difference.ts'
import { findSameEvents, type SameEvent, type SearchedTable } from './find-same-events.ts'
import { type Planning, planRepair, type RepairPlan } from './plan-repair.ts'

export interface RepairOptions extends BlocksToAudit, Pick<Planning, 'nodes'>, Omit<EventTable, 'client'> {
  /**
   * Creates a client for the table. The client's requests must time out within half of `leaseMs`, so that none outlasts
   * the lease.
   */
  createClient: () => Promise<DynamoDBClient>
  /** The audited scope, which the lease gets if no indexer has written to the table. */
  scope: Scope
  /** The newest final block when the audit was planned. If there is no checkpoint, no higher block is repaired. */
  finalBlock?: number | undefined
  /** The number of days for which the log of revisions keeps an entry after a newer entry is appended. */
  changesKeptDays?: number | undefined
  leaseMs?: number | undefined
  clock?: Clock | undefined
  /** The audit's id, which marks the repair's entries in the log of revisions. */
  auditId?: string | undefined
  /**
   * Called when the repair ends, if it has deleted the checkpoint, or if the indexer remembers a block above the
   * checkpoint. Until an indexer has run, the service reports no block above this checkpoint as indexed.
   */
  onLowered?: ((checkpoint: Checkpoint | undefined) => void) | undefined
  /** Called at most once, before the repair waits to find out whether the lease's holder still renews the lease. */
  onWait?: ((holder: LeaseHolder) => void) | undefined
}

export interface RepairSummary {
  /** The number of events stored, and the number of events and unreadable items removed. */
  stored: number
  removed: number
}

interface Held extends RepairOptions {
  lease: Lease
  writer: DynamoDBClient
  recent: RecentBlock[]
}

/** Thrown instead of removing the indexer's ERC-721 transfers, which are false events according to an earlier audit. */
class ScopeWidenedError extends Error {
  override readonly name = 'ScopeWidenedError'
  readonly code = 'scope-widened'

  constructor({ network }: { network: Network }) {
    super(
      `${network}: since this audit began, the indexer has begun to store ERC-721 transfers, which this audit treats as false events, so nothing was repaired. Start a new audit (with another --state file)`,
    )
  }
}

/**
 * Makes the differing events equal to the chain's events, as the network's only writer. First reads the chain and the
 * table again. Then moves the checkpoint back, appends the changes to the log of revisions, removes false events,
 * stores the chain's events, and moves the checkpoint forward again. With this order, the feed reports every change to
 * its readers, and an indexer can resume from the lowered checkpoint if the repair crashes. The indexer uses the same
 * order after a reorganisation. Throws `LeaseHeldError` if another writer holds the network's lease, and
 * `ScopeWidenedError`. Also throws the errors of `planRepair`.
 */
export async function repairTable(
  differences: readonly Difference[],
  options: RepairOptions,
): Promise<RepairSummary> {
  const { createClient, leaseMs = DEFAULT_LEASE_MS, clock = MONOTONIC_CLOCK, tableName, network } = options
  const leaseClient = await createClient()
  const writer = await createClient()
  try {
    const lease = await acquireLease({ ...options, isIndexer: false, leaseMs, client: leaseClient })
    const fenced = fenceClient(writer, lease.ensureHeld)
    const signal = AbortSignal.any([options.signal, lease.signal])
    const quietMs = leaseMs / 2
    const hadCheckpoint = lease.checkpoint !== undefined
    let recent: RecentBlock[] | undefined
    try {
      const client = DynamoDBDocumentClient.from(writer)
      recent = await readRecentBlocks({ client, tableName, network, signal })
      return await repairUnder({ ...options, signal, lease, writer, recent }, differences)
    } finally {
      // Ends the lease even after an error, so that readers can continue although the repair is incomplete.
      const atRest = recent ? isAtRest(recent, lease.checkpoint) : lease.wasAtRest
      const isLowered = !lease.checkpoint || (recent && !atRest)
      if (hadCheckpoint && isLowered) options.onLowered?.(lease.checkpoint)
      // An unanswered request may still write, so the release waits for it. The lease must be released, because without
      // an indexer, nobody would take it over, and readers of the feed would wait forever.
      if (!fenced.isQuiet(quietMs)) await clock.sleep(quietMs + 1, signal).catch(() => undefined)
      await lease.end({ release: fenced.isQuiet(quietMs), atRest, signal })
    }
  } finally {
    leaseClient.destroy()
    writer.destroy()
  }
}

async function repairUnder(held: Held, differences: readonly Difference[]): Promise<RepairSummary> {
  const { network, tableName, networks, changesKeptDays: keptDays, scope, writer, lease, signal } = held
  if (differences.length > 0 && lease.scope.erc721 && !scope.erc721) throw new ScopeWidenedError({ network })
  const { checkpoint } = lease
  const mayWrite = (header: ProvableHeader) => isWritable(header, held)
  const plan = await planRepair(differences, { ...held, client: writer, mayWrite })
  const { falseEvents, strayItems, events } = plan
  const removed = falseEvents.map(({ record }) => removalOf(record))
  if (falseEvents.length + strayItems.length + events.length === 0) return { stored: 0, removed: 0 }
  const table = { client: DynamoDBDocumentClient.from(writer), tableName, network, signal }
  const kept = await findKept(plan, { ...table, checkpoint })
  await moveBack(plan.parent, { ...held, table })
  const places = { [network]: placeBefore({ parent: plan.parent, kept }, held) }
  await appendRevision({ places, removed, audit: held.auditId }, { ...table, keptDays })
  // A load also stores the times of its events' blocks, and a false time hides true events from readers of a span of
  // blocks. The repair deletes the time first and then the false event, because only this event shows that the time may
  // be false.
  await deleteBlockTimes(
    falseEvents.map(({ record }) => record.blockNumber),
    table,
  )
  await removeFalse(plan, { table, kept })
  await rememberChunks(plan, { ...held, table })
  await writeEvents({ client: writer, tableName, networks, signal }, events)
  if (checkpoint) await moveForward(checkpoint, plan, held)
  return { stored: events.length, removed: removed.length + strayItems.length }
}

/**
 * Whether the repair is allowed to write a block's events. A block that is not final must be in `recent`, because an
 * indexer uses `recent` to find the events of orphaned blocks. Only an indexer writes blocks above the checkpoint.
 * Without a checkpoint, only an indexer writes blocks that are not final.
 */
function isWritable({ number, hash }: ProvableHeader, { lease, recent, finalBlock = -1 }: Held): boolean {
  const { checkpoint } = lease
  if (!checkpoint) return number <= finalBlock
  if (number <= (checkpoint.finalizedBlock ?? -1)) return true
  return number <= checkpoint.blockNumber && recent.some(({ blockHash }) => blockHash === hash)
}

/** Readers of the feed read nothing above the checkpoint, so they never see a partial repair. */
async function moveBack(
  parent: ProvableHeader | undefined,
  { lease, recent, table, signal }: Held & { table: RecentBlocksTable },
): Promise<void> {
  const { checkpoint, scope } = lease
  if (!checkpoint || (parent && parent.number >= checkpoint.blockNumber)) return
  if (!parent || parent.number < scope.fromBlock) return lease.deleteCheckpoint(signal)
  const left = checkpointToRemember(checkpoint, recent)
  recent.push(...left)
  await putRecentBlocks(left, table)
  const moved = { blockNumber: parent.number, blockHash: parent.hash, timestamp: parent.timestamp }
  const indexedSince = noteIndexed(checkpoint, moved, Date.now())
  const back: Checkpoint = { ...checkpoint, ...moved, indexedSince }
  await lease.moveCheckpoint(back, signal)
}

/**
 * Moves the checkpoint forward to where it was before the repair. If the repair has removed events of orphaned blocks,
 * moves the checkpoint only to the highest block in `recent` below all of these blocks. The next indexer then stores
 * the events of the new blocks.
 */
async function moveForward(
  checkpoint: Checkpoint,
  { falseEvents, onChain }: RepairPlan,
  { lease, recent, signal }: Held,
): Promise<void> {
  const isOrphan = (block: RecentBlock) =>
    block.blockNumber <= checkpoint.blockNumber &&
    onChain.get(block.blockNumber)?.hash !== block.blockHash &&
    falseEvents.some(({ record }) => isOfBlock(record, block))
  const orphan = recent.find(isOrphan)
  const goal = orphan ? recent.findLast(block => block.blockNumber < orphan.blockNumber) : checkpoint
  if (!goal || goal.blockNumber < (lease.checkpoint?.blockNumber ?? -1)) return
  const { blockNumber, blockHash, timestamp } = goal
  const moved = { blockNumber, blockHash, timestamp }
  const indexedSince = noteIndexed(lease.checkpoint, moved, Date.now())
  await lease.moveCheckpoint({ ...checkpoint, ...moved, indexedSince }, signal)
}

/**
 * Compares all three values, because a false copy of an event may have the block's hash, but another number or time.
 */
const isOfBlock = (record: EventRecord, { blockNumber, blockHash, timestamp }: RecentBlock) =>
  record.blockNumber === blockNumber &&
  record.blockHash === blockHash &&
  Date.parse(record.createdAt) === timestamp * 1000

/** Finds events that stay, but share a false event's id. In callers' copies, removing this id removes both events. */
async function findKept({ falseEvents }: RepairPlan, table: SearchedTable): Promise<SameEvent[]> {
  const records = falseEvents.map(({ record }) => record)
  const falsePlaces = new Set(records.map(placeOf))
  return (await findSameEvents(records, table)).filter(({ place }) => !falsePlaces.has(place))
}

/** Returns a place below all changes and all events in `kept`, so that feed readers receive these events again. */
function placeBefore(
  { parent, kept }: { parent: ProvableHeader | undefined; kept: readonly SameEvent[] },
  { network }: Held,
): Place {
  if (!parent) return BEGINNING
  const { number: blockNumber, timestamp: seconds } = parent
  return [
    endOfBlock({ seconds, blockNumber, network }, 'asc'),
    ...kept.map(({ place }) => beforeSecond(decodePlace(place)?.seconds ?? 0, network)),
  ].reduce((least, place) => (compareByTime(place, least) < 0 ? place : least))
}

/** Keeps the chunks of events that stay, because a false copy of an event shares the event's chunks. */
async function removeFalse(
  { falseEvents, strayItems }: RepairPlan,
  { table, kept }: { table: RecentBlocksTable; kept: readonly SameEvent[] },
): Promise<void> {
  const keptChunks = new Set(kept.map(({ chunkList }) => chunkList))
  const chunkLists = chunkListsOf(
    falseEvents.filter(({ items }) => items.length > 1).map(({ record }) => record),
  ).filter(({ list }) => !keptChunks.has(list))
  const events = [...falseEvents, ...strayItems.map(item => ({ items: [item] }))]
  await deleteEvents({ block: { chunkLists }, events }, table)
}

/** Await this before any of the chunks is stored, so that the chunks can be found if their block is orphaned. */
async function rememberChunks(
  { events }: RepairPlan,
  { recent, table }: Held & { table: RecentBlocksTable },
): Promise<void> {
  const blocks = recent.flatMap(block => {
    const added = chunkListsOf(events.filter(({ blockHash }) => blockHash === block.blockHash))
    return added.length === 0 ? [] : [addChunkLists(block, added)]
  })
  await putRecentBlocks(blocks, table)
}
