import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { readTableDefinition } from '../../../infra/deploy/read-table-definition.ts'
import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { READ_TIMEOUT_MS } from '../../../lib/query/budget.ts'
import { createClient, INDEXING_TIMEOUT_MS } from '../../../lib/store/create-client.ts'
import type { AttributeMap } from '../../../lib/store/event-table.ts'
import { type EventItems, type Item, itemsFor, readItem } from '../../../lib/store/format/event-items.ts'
import { CHECKPOINTS_LIST } from '../../../lib/store/format/keys.ts'
import { EXPIRES } from '../../../lib/store/format/revision-item.ts'
import { formItems } from '../../../lib/store/writing/record-form.ts'
import type { Finality } from '../../support/oracle/oracle.ts'
import { answerDirectly, createDirectHandler } from '../dynamo/answer-directly.ts'
import { REFUSAL_TYPES, refusal } from '../dynamo/dynamo-error.ts'
import { createMemoryDynamo } from '../dynamo/memory-dynamo.ts'
import type { MemoryTable } from '../dynamo/memory-table.ts'
import type { Actor, Gate } from '../gate/gate.ts'
import { PLAIN_CONFIG } from './plain-config.ts'

const FIRST_NAME = 'events'

export interface TableLag {
  indexMs: number
  /** How far an eventually consistent read of the table itself can be behind. */
  readMs: number
  /** The probability that a request in a batch is not processed. */
  unprocessed: number
  /** The probability of a delay for reads by the functions that answer requests, if higher than for other calls. */
  slowReads: number
}

export type SimTable = ReturnType<typeof createSimTable>

interface TableWrite {
  actor: Actor
  keys: readonly { list: string; place: string }[]
  /** The event whose item the write removed from `all`. */
  removed?: EventRecord | undefined
}

export interface CheckpointItem {
  blockNumber?: number
  blockHash?: string
  finalizedBlock?: number
  auditedBlock?: number
  auditedHash?: string
  fence?: number
  owner?: string
  leased?: boolean
  atRest?: boolean
  scope?: { fromBlock: number; contracts: 'any' | string[] }
}

/** The last block of each network that is both final and indexed. */
export const finalityOf = ({ table }: { table: SimTable }): Finality =>
  Object.fromEntries(
    [...table.checkpoints()].map(([network, { finalizedBlock = -1, blockNumber = -1 }]) => [
      network,
      Math.min(finalizedBlock, blockNumber),
    ]),
  )

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'])

/** The definition is read only once, because parsing its file takes longer than a hundred calls. */
let definition: ReturnType<typeof readTableDefinition> | undefined

interface TableOptions {
  gate: Gate
  networks: readonly Network[] | undefined
  lag: TableLag
}

export function createSimTable({ gate, networks, lag }: TableOptions) {
  const dynamo = createMemoryDynamo({ now: gate.now })
  let tableName = FIRST_NAME
  definition ??= readTableDefinition()
  dynamo.execute('CreateTable', { ...definition, TableName: tableName })
  // The operator records the networks before the first program starts.
  const [form] = formItems(networks)
  if (form) dynamo.execute('PutItem', { TableName: tableName, Item: marshall(form) })
  const known = new WeakMap<EventRecord, EventItems>()
  let examined = 0
  let restored = 0
  const lost = () => Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' })
  const table = {
    dynamo,
    /** The name changes with each restore, because DynamoDB restores a table under a new name. */
    get tableName() {
      return tableName
    },
    networks,
    lag,
    /** A client for the functions that answer requests, or for a program that writes. */
    client: (purpose: 'reading' | 'indexing') => {
      const patienceMs = purpose === 'reading' ? READ_TIMEOUT_MS : INDEXING_TIMEOUT_MS
      const ofTable = restored
      const execute = (operation: string, input: object) => {
        const actor = gate.currentActor()
        return gate.pass({
          title: titleOf(operation, input),
          patienceMs,
          late: purpose === 'reading' ? lag.slowReads : 0,
          take() {
            if (ofTable !== restored) throw lost()
            return take(operation, input, actor)
          },
          refusals: REFUSALS,
          lost,
          timedOut: () => Object.assign(new Error('No answer in time'), { name: 'TimeoutError' }),
        })
      }
      const handler = createDirectHandler({ execute })
      const config = { ...PLAIN_CONFIG, accountIdEndpointMode: 'disabled' as const }
      return answerDirectly(
        purpose === 'reading'
          ? createClient(config, handler)
          : new DynamoDBClient({ ...config, requestHandler: handler }),
      )
    },
    /** The table as a program addresses it. */
    where: (purpose: 'reading' | 'indexing') => ({ client: table.client(purpose), tableName, networks }),
    copy: () => dynamo.snapshot(tableName),
    /** Replaces the table with a table made from a copy. The requests of earlier clients then fail. */
    restore(copy: MemoryTable) {
      restored += 1
      tableName = `${FIRST_NAME}-${restored}`
      dynamo.restore(copy, tableName)
    },
    /** Returns the table's items without passing the gate. */
    items: () => dynamo.itemsOf(tableName) as AttributeMap[],
    letExpire() {
      const isAll = gate.random.chance(0.5)
      const deleted = dynamo.deleteExpired({
        tableName,
        attribute: EXPIRES,
        isChosen: () => isAll || gate.random.chance(0.5),
      })
      gate.note(`${deleted} entries of the log expire`)
    },
    get examined() {
      return examined
    },
    onWrite: undefined as ((write: TableWrite) => void) | undefined,
    /** Called after each read of a list or of one of its items. */
    onRead: undefined as ((read: { actor: Actor; list: string }) => void) | undefined,
    /** Returns the list's items, which must fit into one page. */
    partition(list: string): AttributeMap[] {
      const { Items } = dynamo.execute('Query', {
        TableName: tableName,
        KeyConditionExpression: 'l = :l',
        ExpressionAttributeValues: { ':l': { S: list } },
        ConsistentRead: true,
      }) as { Items: AttributeMap[] }
      return Items
    },
    checkpoints: (): ReadonlyMap<string, CheckpointItem> =>
      new Map(
        table.partition(CHECKPOINTS_LIST).map(item => [item.p?.S ?? '', unmarshall(item) as CheckpointItem]),
      ),
    /** Computes the items of each record only once, because the laws need them after many writes. */
    itemsOf(record: EventRecord): EventItems {
      const items = known.get(record) ?? itemsFor(networks)(record)
      known.set(record, items)
      return items
    },
    /** Whether the list `all` contains exactly this record, byte for byte. */
    has(record: EventRecord): boolean {
      const [entry = {}] = table.itemsOf(record).entries
      return itemAt(entry)?.d?.B === Buffer.from(entry.d as Uint8Array).toString('base64')
    },
    /** Whether the table also contains an item in each of the event's lists, and all of its chunks. */
    hasWhole(record: EventRecord): boolean {
      const { entries, chunks } = table.itemsOf(record)
      return [...entries, ...chunks].every(itemAt) && table.has(record)
    },
  }

  const itemAt = ({ l, p }: Item) =>
    dynamo.itemAt(tableName, { l: { S: String(l) }, p: { S: String(p) } }) as StoredItem | undefined

  function take(operation: string, input: object, actor: Actor): object {
    const keys = WRITES.has(operation) ? keysOf(input) : []
    const [key] = operation === 'DeleteItem' ? keys : []
    const found = key?.list.startsWith('all@') ? eventAt(key) : undefined
    const answer = dynamo.execute(operation, input) as { ScannedCount?: number }
    examined += answer.ScannedCount ?? 0
    if (operation === 'Query' || operation === 'GetItem') table.onRead?.({ actor, list: listOf(input) })
    if (keys.length > 0) table.onWrite?.({ actor, keys, removed: found })
    return answer
  }

  function eventAt({ list, place }: { list: string; place: string }): EventRecord | undefined {
    const item = itemAt({ l: list, p: place })
    const bytes = Buffer.from(item?.d?.B ?? '', 'base64')
    return item && readItem(bytes, { list: { of: 'all' }, place }).record
  }

  dynamo.choices = {
    isUnprocessed: at => at > 0 && lag.unprocessed > 0 && gate.random.chance(lag.unprocessed),
    changesBehind: ({ indexName, changesSince }) => {
      const behindMs = indexName === undefined ? lag.readMs : lag.indexMs
      return behindMs === 0 ? 0 : changesSince(gate.now() - behindMs)
    },
  }
  return table
}

const REFUSALS = REFUSAL_TYPES.map(type => () => refusal(type))

/** Requests and the table contain bytes as base64. */
type StoredItem = Record<string, { B?: string }>

type Texts = Record<string, { S?: string }>

interface Named {
  Key?: Texts
  Item?: Texts
  ExpressionAttributeValues?: Texts
  RequestItems?: Record<string, { PutRequest?: { Item: Texts }; DeleteRequest?: { Key: Texts } }[]>
}

function listOf(input: object): string {
  const { Key, ExpressionAttributeValues = {} } = input as Named
  return Key?.l?.S ?? Object.values(ExpressionAttributeValues)[0]?.S ?? ''
}

function keysOf(input: object): TableWrite['keys'] {
  const { Key, Item, RequestItems = {} } = input as Named
  const batch = Object.values(RequestItems).flat()
  const all = [Key ?? Item, ...batch.map(each => each.PutRequest?.Item ?? each.DeleteRequest?.Key)]
  return all.flatMap(key => (key ? [{ list: key.l?.S ?? '', place: key.p?.S ?? '' }] : []))
}

function titleOf(operation: string, input: object): string {
  const { Key, ExpressionAttributeValues = {}, RequestItems = {} } = input as Named
  if (Key) return `${operation} ${Key.l?.S} ${Key.p?.S}`
  const batch = Object.values(RequestItems).flat()
  if (batch.length > 0) {
    const [first] = batch
    if (operation === 'BatchGetItem') return operation
    const item = first?.PutRequest?.Item
    return `${item ? 'puts' : 'deletes'} ${batch.length} items${item ? ` from ${item.l?.S} ${item.p?.S} on` : ''}`
  }
  return `${operation} ${Object.values(ExpressionAttributeValues)
    .map(({ S }) => S)
    .filter(Boolean)
    .join(' ')}`
}
