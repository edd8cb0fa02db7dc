import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { ListReading } from '../query/event-store.ts'
import { DATA, type ListPartition, PLACE_KEY, partitionOf } from './keys.ts'

/** `Limit` is a 32-bit number; a `skip` that is counted may be any. */
const MAX_QUERY_LIMIT = 2 ** 31 - 1

/** The DynamoDB Query that answers a reading of a list; its conditions are tested on the rows that come. */
export function queryInput(reading: ListReading, tableName: string): QueryCommandInput {
  const partition = partitionOf(reading.list, reading.network)
  const names: Record<string, string> = { '#list': partition.keyName, '#place': PLACE_KEY }
  const values: Record<string, AttributeValue> = { ':list': keyValue(partition) }
  const range = placeRange(reading, values)
  if (reading.select === 'count' && range === undefined) delete names['#place']
  if (needsData(reading)) names['#data'] = DATA
  return {
    TableName: tableName,
    IndexName: partition.indexName,
    KeyConditionExpression: range === undefined ? '#list = :list' : `#list = :list AND ${range}`,
    ...(reading.select === 'count'
      ? { Select: 'COUNT' }
      : { ProjectionExpression: needsData(reading) ? '#place, #data' : '#place' }),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ScanIndexForward: reading.direction === 'asc',
    ...(reading.isConsistent && { ConsistentRead: true }),
    Limit: Math.min(reading.limit, MAX_QUERY_LIMIT),
    ReturnConsumedCapacity: 'TOTAL',
  }
}

/** Conditions are tested on records, so rows of which only the place is wanted bring theirs, too. */
const needsData = ({ select, where }: ListReading) =>
  select === 'rows' || (select === 'places' && where.length > 0)

const keyValue = ({ key }: ListPartition): AttributeValue =>
  typeof key === 'number' ? { N: String(key) } : { S: key }

/** A key condition takes one comparison of the sort key, so both bounds together are a BETWEEN. */
function placeRange(
  { after, until, direction }: ListReading,
  values: Record<string, AttributeValue>,
): string | undefined {
  if (after === undefined && until === undefined) return undefined
  if (until === undefined) {
    values[':after'] = { S: after ?? '' }
    return direction === 'asc' ? '#place > :after' : '#place < :after'
  }
  const [first, last] = direction === 'asc' ? [justAfter(after), until] : [until, justBefore(after)]
  values[':first'] = { S: first }
  values[':last'] = { S: last }
  return '#place BETWEEN :first AND :last'
}

/** The smallest text behind a place: `!` sorts before whatever continues another place. */
const justAfter = (place = '') => `${place}!`

/** A text before this place and behind every smaller one. */
function justBefore(place: string | undefined): string {
  if (place === undefined) return '~'
  const last = place.charCodeAt(place.length - 1)
  return `${place.slice(0, -1)}${String.fromCharCode(last - 1)}~`
}
