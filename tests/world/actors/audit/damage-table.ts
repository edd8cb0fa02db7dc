import { marshall } from '@aws-sdk/util-dynamodb'
import { CHAINS, type Network } from '../../../../lib/events/networks.ts'
import { BEGINNING } from '../../../../lib/events/place.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import type { Item } from '../../../../lib/store/format/event-items.ts'
import { CHECKPOINTS_LIST, REVISIONS_LIST } from '../../../../lib/store/format/keys.ts'
import { REVISION, revisionKey } from '../../../../lib/store/format/revision-item.ts'
import type { Random } from '../../../support/records/random.ts'
import { toJson } from '../../dynamo/answer-directly.ts'
import { isRunning } from '../../start-job.ts'
import type { SimNetwork, World } from '../../world.ts'
import { auditsOf } from './audit-laws.ts'

const AUDITS: ReadonlySet<string> = new Set(['audit', 'audit function'])

/**
 * Damages a stored event of a final block: removes the event or one of its items, or adds the event of an orphaned
 * block. An earlier version of the code or a lost write could have done the same. Only audits repair this damage. While
 * an audit runs, the damage is either announced like a writer's changes or kept secret, in which case another audit
 * must find it. Returns whether the damage is secret.
 */
export function damageTable(world: World, network: SimNetwork, random: Random): boolean {
  const { table, gate, jobs } = world
  const ofNetwork = jobs.filter(job => isRunning(job) && job.name.endsWith(network.network))
  if (ofNetwork.some(({ kind }) => kind === 'repair')) return false
  const { chain, contracts, fromBlock } = network
  const final = chain.finalized().number
  // A node's final block is ignored if it is closer to the head than the chain permits. No audit then reaches this
  // block.
  const head = chain.blocks.at(-1)?.number ?? final
  if (head - final < CHAINS[network.network].finalAfter) return false
  const checkpoint = table.checkpoints().get(network.network)
  // Only events up to the checkpoint are damaged, because an indexer does not read again what it has just written.
  // Events above the final block are not damaged either, because damage may store an event in another block: if that
  // block were final, a receiver of final events would keep the false event forever.
  const { blockNumber = -1, finalizedBlock = -1, auditedBlock = -1 } = checkpoint ?? {}
  const upTo = network.isIndexed ? Math.min(final, blockNumber, finalizedBlock) : final
  // A repair goes back to the block below the damage. Nodes have no block below the first, so the first is not damaged.
  const from = Math.max(fromBlock, chain.first + 1)
  const blocks = chain.blocks.filter(({ number }) => number >= from && number <= upTo)
  // An audit compares only the events of indexed contracts.
  const isCompared = ({ address }: EventRecord) => contracts === 'any' || contracts.includes(address)
  const stored = blocks
    .flatMap(({ events }) => events)
    .filter(record => isCompared(record) && table.has(record))
  if (stored.length === 0) return false
  const long = stored.filter(record => table.itemsOf(record).chunks.length > 0)
  const record = random.pick(long.length > 0 && random.chance(0.5) ? long : stored)
  const { entries } = table.itemsOf(record)
  const audits = auditsOf(network)
  const isAudited = ofNetwork.some(({ kind }) => AUDITS.has(kind)) || audits.file.progress !== undefined
  // The whole event is removed more often, because the laws notice at once if the audited block moves past a missing
  // event.
  const how = isAudited
    ? random.pick(['whole', 'whole', 'whole', 'one item', 'elsewhere', 'elsewhere as well'])
    : random.pick(['whole', 'one item', 'elsewhere', 'elsewhere as well', 'elsewhere as well'])
  // A writer lowers the audited block before it announces a change to audited blocks. Damage does not lower the audited
  // block, so damage to an audited block is always secret.
  const isSecret = (isAudited && random.chance(0.5)) || record.blockNumber <= auditedBlock
  if (isSecret) audits.secrets.set(record.id, record.blockNumber)
  else if (isAudited) announceChange(world, network.network)
  world.isTampered = true
  gate.note(`» ${how} of ${record.id} of block ${record.blockNumber} is damaged`)
  if (how === 'one item') {
    remove(world, random.pick(entries))
    return isSecret
  }
  if (how !== 'elsewhere as well') for (const entry of entries) remove(world, entry)
  if (how === 'whole') return isSecret
  // The orphan has the same id as the event on the chain, but belongs to a different block.
  const other = random.pick(isSecret ? blocks : blocks.filter(({ number }) => number > auditedBlock))
  const createdAt = new Date(other.timestamp * 1000).toISOString()
  // The orphan has either the event's block hash, and then shares the event's chunks, or a hash that no other block
  // has.
  const blockHash = random.chance(0.7) ? record.blockHash : `0x${String(other.number).padStart(64, 'ab')}`
  const orphan = { ...record, blockNumber: other.number, blockHash, createdAt }
  const { chunks, entries: items } = table.itemsOf(orphan)
  const isTaken = table.dynamo.itemAt(table.tableName, keyOf(items[0] as Item)) !== undefined
  if (isTaken || other.events.some(({ logIndex }) => logIndex === record.logIndex)) return isSecret
  for (const item of [...chunks, ...items]) put(world, item)
  return isSecret
}

/**
 * Records a difference in the first block, as if an audit had found it and the block had then been repaired. An audit
 * leaves such a record if it ends before it has lowered the audited block. Bypasses the gate.
 */
export function leaveDifference(world: World, { network, fromBlock }: SimNetwork): void {
  if (!world.table.checkpoints().get(network)?.scope) return
  updateCheckpoint(world, network, {
    UpdateExpression: 'SET differentBlock = :block ADD differences :one',
    ExpressionAttributeValues: { ':block': { N: String(fromBlock) }, ':one': { N: '1' } },
  })
}

/** Appends an entry to the log and renews the lease, like a writer that may change any event. Bypasses the gate. */
function announceChange(world: World, network: Network): void {
  const { table, gate } = world
  const newest = Number(table.partition(REVISIONS_LIST).at(-1)?.p?.S ?? 0)
  const at = Math.floor(gate.now() / 1000)
  const revision = JSON.stringify({ places: { [network]: BEGINNING }, removed: [], at })
  put(world, { ...revisionKey(newest + 1), [REVISION]: revision })
  if (!table.checkpoints().has(network)) return
  const ExpressionAttributeValues = { ':one': { N: '1' } }
  updateCheckpoint(world, network, { UpdateExpression: 'ADD renewals :one', ExpressionAttributeValues })
}

/** These functions bypass the gate. */
const updateCheckpoint = ({ table: { dynamo, tableName } }: World, network: Network, update: object) =>
  void dynamo.execute('UpdateItem', {
    TableName: tableName,
    Key: keyOf({ l: CHECKPOINTS_LIST, p: network }),
    ...update,
  })
const put = ({ table: { dynamo, tableName } }: World, item: Item) =>
  void dynamo.execute('PutItem', { TableName: tableName, Item: toJson(marshall(item)) })
const remove = ({ table: { dynamo, tableName } }: World, item: Item) =>
  void dynamo.execute('DeleteItem', { TableName: tableName, Key: keyOf(item) })

const keyOf = ({ l, p }: Item) => ({ l: { S: String(l) }, p: { S: String(p) } })
