import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { ListReading } from '../../query/event-store.ts'
import { DATA, type ListPartition, PLACE_KEY, partitionOf } from '../format/keys.ts'

/**
 * The highest `Limit` that DynamoDB accepts, a signed 32-bit number. A high `skip` can raise a reading's limit above
 * this number.
 */
const MAX_QUERY_LIMIT = 2 ** 31 - 1

/** The Query has no filter, because the caller tests the reading's conditions on the returned rows. */
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

/** Conditions are tested on records, so a read that has conditions needs records, even if it selects only places. */
const needsData = ({ select, where }: ListReading) =>
  select === 'rows' || (select === 'places' && where.length > 0)

const keyValue = ({ key }: ListPartition): AttributeValue =>
  typeof key === 'number' ? { N: String(key) } : { S: key }

/** DynamoDB allows one condition on the sort key, so two bounds become a BETWEEN. */
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

/**
 * A string that sorts after this place and before every higher place, because `!` sorts before every character of a
 * place.
 */
const justAfter = (place = '') => `${place}!`

/** A string that sorts before this place and after every lower place. */
function justBefore(place: string | undefined): string {
  if (place === undefined) return '~'
  return `${place.slice(0, -1)}${String.fromCharCode(place.charCodeAt(place.length - 1) - 1)}~`
}
