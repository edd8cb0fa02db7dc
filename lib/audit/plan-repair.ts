import { isDeepStrictEqual } from 'node:util'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import pMap from 'p-map'
import type { ProvableHeader } from '../chain/nodes/block-header.ts'
import type { NodeGroup } from '../chain/nodes/node-group.ts'
import { type Place, placeOf } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { CorruptRowError } from '../query/errors.ts'
import { type Item, itemsOf } from '../store/format/event-items.ts'
import { LIST_KEY, PLACE_KEY } from '../store/format/keys.ts'
import { scanEvents } from '../store/reading/scan-table.ts'
import { tryAgain } from '../store/try-again.ts'
import { auditSample, type BlocksToAudit } from './audit-blocks.ts'
import { blocksWith, type Difference, lowestBlockOf } from './difference.ts'
import { doubtsOfNodes, NodesDisagreeError } from './nodes-agree.ts'
import { recordIn } from './scan-lists.ts'

export interface RepairPlan {
  /** The block below the lowest block to repair. Undefined if block 0 is the lowest, or if no block needs a repair. */
  parent: ProvableHeader | undefined
  /** Stored events that are not on the chain or differ from it, each with the items to delete. */
  falseEvents: { record: EventRecord; items: Item[] }[]
  /** Items to delete because they contain no readable event. */
  strayItems: Item[]
  /** The chain's events that must be stored, with all of their items. */
  events: EventRecord[]
  /** The blocks that `planRepair` has read from the chain again, by number. */
  onChain: ReadonlyMap<number, ProvableHeader>
}

export interface Planning extends BlocksToAudit {
  nodes: NodeGroup
  client: DynamoDBClient
  tableName: string
  /**
   * Returns false for a block that the repair must not write, for example because an indexer could not find the block's
   * events if the block were orphaned.
   */
  mayWrite: (header: ProvableHeader) => boolean
}

/**
 * Reads the differing events again. Omits items that are now correct, and blocks that are unproven or not writable.
 * Throws `NodesDisagreeError` unless all nodes return the same blocks of one chain.
 */
export async function planRepair(
  differences: readonly Difference[],
  planning: Planning,
): Promise<RepairPlan> {
  const { expected, onChain, isOpen } = await readExpected(differences, planning)
  const open = differences.filter(({ fromBlock }) => isOpen(fromBlock))
  const falseEvents: RepairPlan['falseEvents'] = []
  const strayItems: Item[] = []
  const goes = (item: Item | undefined, wanted: EventRecord | undefined) => {
    const record = item && recordIn(item)
    if (record && record.id !== wanted?.id) falseEvents.push({ record, items: [item] })
    // An unreadable item may belong to a contract that is not audited, so it is kept unless all contracts are audited.
    else if (item && !record && !wanted && planning.contracts === 'any') strayItems.push(item)
  }
  for (const place of new Set(open.map(each => each.place))) {
    const wanted = expected.get(place)
    const stored = await readStored(place, planning)
    if (stored instanceof CorruptRowError) goes(await readItem(stored, planning), wanted)
    else if (stored && !isDeepStrictEqual(stored, wanted)) {
      falseEvents.push({ record: stored, items: itemsOf(stored).entries })
    }
  }
  for (const { kind, list, place } of open) {
    if (kind === 'extra' && list !== undefined) goes(await readItem({ list, place }, planning), undefined)
  }
  const places = new Set(open.map(({ place }) => place))
  const events = [...places].flatMap(place => expected.get(place) ?? [])
  return {
    parent: await readParent(open, { ...planning, onChain }),
    falseEvents,
    strayItems,
    events,
    onChain,
  }
}

async function readExpected(differences: readonly Difference[], planning: Planning) {
  const expected = new Map<Place, EventRecord>()
  const onChain = new Map<number, ProvableHeader>()
  const openBlocks = new Set<number>()
  for await (const { blocks, expected: records } of auditSample(blocksWith(differences), planning)) {
    // The nodes are asked again, because they last agreed at the end of the audit, which may have been long ago.
    const asking = { ...planning, throwsOutage: true }
    const doubts = await pMap(blocks, ({ header }) => doubtsOfNodes(header, asking), { concurrency: 10 })
    const [doubt] = doubts.flat()
    if (doubt !== undefined) throw new NodesDisagreeError({ network: planning.network, doubt })
    for (const { header, proof } of blocks) {
      onChain.set(header.number, header)
      const isProven = proof.proof === 'empty' || proof.proof === 'receipts'
      if (isProven && planning.mayWrite(header)) openBlocks.add(header.number)
    }
    for (const record of records) expected.set(placeOf(record), record)
  }
  return { expected, onChain, isOpen: (blockNumber: number) => openBlocks.has(blockNumber) }
}

async function readStored(
  place: Place,
  { network, ...table }: Planning,
): Promise<EventRecord | CorruptRowError | undefined> {
  for await (const stored of scanEvents(table, network, { span: { first: place, last: place } }))
    return stored
  return undefined
}

async function readItem(
  { list, place }: { list: string; place: Place },
  { client, tableName, signal }: Planning,
): Promise<Item | undefined> {
  const Key = { [LIST_KEY]: list, [PLACE_KEY]: place }
  const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true })
  const documents = DynamoDBDocumentClient.from(client)
  return (await tryAgain(() => documents.send(command, { abortSignal: signal }), { tableName, signal })).Item
}

/** Throws if the chain was reorganised after its blocks were read, because indexers trust the repair's checkpoint. */
async function readParent(
  differences: readonly Difference[],
  { network, reader, onChain, signal }: Planning & Pick<RepairPlan, 'onChain'>,
): Promise<ProvableHeader | undefined> {
  const first = lowestBlockOf(differences)
  if (first === 0 || first === Number.POSITIVE_INFINITY) return undefined
  const parent = await reader.readHeader(first - 1, signal)
  if (parent.hash === onChain.get(first)?.parentHash) return parent
  const doubt = `block ${first} is not the child of block ${first - 1}, which was read after it`
  throw new NodesDisagreeError({ network, doubt })
}
