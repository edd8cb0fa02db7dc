import { createHash } from 'node:crypto'
import { StoreUnavailableError } from '../query/errors.ts'
import type { CallOptions } from '../query/event-store.ts'
import type { EventTable } from '../store/event-table.ts'
import { LIST_KEY, PLACE_KEY, REVISIONS_LIST } from '../store/format/keys.ts'
import { parseRevision, REVISION, revisionKey } from '../store/format/revision-item.ts'
import { sendQuery } from '../store/reading/send-query.ts'
import type { ChangeStore, RevisionPage } from './change-store.ts'
import { createFrontierReader } from './read-frontiers.ts'

/** 72 bits are enough to tell tables apart. */
const TABLE_CHARACTERS = 12

/** All reads are strongly consistent, and can throw `StoreUnavailableError` or `CorruptRowError`. */
export const createDynamoChangeStore = (table: EventTable): ChangeStore => ({
  table: createHash('sha256').update(table.tableName).digest('base64url').slice(0, TABLE_CHARACTERS),
  readRevisions: ({ from, limit }, options) =>
    queryRevisions({ span: ['>=', from], limit, isNewestFirst: false }, { ...table, ...options }),
  readNewestRevisions: ({ before, limit }, options) => {
    const span: Span = before === undefined ? ['>=', 1] : ['<', before]
    return queryRevisions({ span, limit, isNewestFirst: true }, { ...table, ...options })
  },
  readFrontiers: createFrontierReader(table),
})

type Span = [comparison: '>=' | '<', number: number]

async function queryRevisions(
  { span: [comparison, number], limit, isNewestFirst }: { span: Span; limit: number; isNewestFirst: boolean },
  table: EventTable & CallOptions,
): Promise<RevisionPage> {
  const { Items, LastEvaluatedKey, ConsumedCapacity } = await sendQuery(table, {
    TableName: table.tableName,
    KeyConditionExpression: `#list = :list AND #place ${comparison} :number`,
    ExpressionAttributeNames: { '#list': LIST_KEY, '#place': PLACE_KEY },
    ExpressionAttributeValues: {
      ':list': { S: REVISIONS_LIST },
      ':number': { S: revisionKey(number)[PLACE_KEY] },
    },
    ScanIndexForward: !isNewestFirst,
    Limit: limit,
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  })
  if (!Items) throw new StoreUnavailableError(new TypeError('The answer to a Query is incomplete'))
  return {
    revisions: Items.map(item => parseRevision(item[PLACE_KEY]?.S, item[REVISION]?.S)),
    isMore: LastEvaluatedKey !== undefined,
    calls: 1,
    examined: Items.length,
    readUnits: ConsumedCapacity?.CapacityUnits ?? 0,
  }
}
