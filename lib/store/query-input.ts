import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { EVENT_KINDS, USER_FIELDS } from '../events/event-kinds.ts'
import type { Condition } from '../query/condition.ts'
import type { ListReading } from '../query/event-store.ts'
import { type ListPartition, PLACE_KEY, partitionOf } from './keys.ts'

/** `Limit` is a 32-bit number; a `skip` that is counted may be any. */
const MAX_QUERY_LIMIT = 2 ** 31 - 1

/** The DynamoDB Query that answers a reading of a list. */
export function queryInput(reading: ListReading, tableName: string): QueryCommandInput {
  const partition = partitionOf(reading.list, reading.network)
  const names: Record<string, string> = { '#list': partition.keyName, '#place': PLACE_KEY }
  const values: Record<string, AttributeValue> = { ':list': keyValue(partition) }
  const filter = filterExpression(reading.where, { names, values })
  const range = placeRange(reading, values)
  if (range === undefined && reading.select !== 'places') delete names['#place']
  return {
    TableName: tableName,
    IndexName: partition.indexName,
    KeyConditionExpression: range === undefined ? '#list = :list' : `#list = :list AND ${range}`,
    ...(filter !== undefined && { FilterExpression: filter }),
    ...(reading.select === 'places' && { ProjectionExpression: '#place' }),
    ...(reading.select === 'count' && { Select: 'COUNT' }),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ScanIndexForward: reading.direction === 'asc',
    Limit: Math.min(reading.limit, MAX_QUERY_LIMIT),
    ReturnConsumedCapacity: 'TOTAL',
  }
}

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

interface Placeholders {
  names: Record<string, string>
  values: Record<string, AttributeValue>
}

/**
 * The filter for some conditions. A row that lacks a field of its kind, or has it in another type, is let
 * through: nobody can say whether it matches, and it fails when it is read instead of being left out.
 */
function filterExpression(conditions: Condition[], placeholders: Placeholders): string | undefined {
  if (conditions.length === 0) return undefined
  const tests = conditions.map((condition, index) => conditionTest(condition, index, placeholders))
  return `${tests.join(' AND ')} OR ${isUnlike('event', 'S', placeholders)}`
}

function conditionTest({ fields, equals }: Condition, index: number, placeholders: Placeholders): string {
  const value = `:equals${index}`
  const type = typeof equals === 'number' ? 'N' : 'S'
  placeholders.values[value] = type === 'N' ? { N: String(equals) } : { S: String(equals) }
  const tests = fields.flatMap(field => {
    const unlike = isUnlike(field, type, placeholders)
    const kinds = EVENT_KINDS.filter(kind => (USER_FIELDS[kind] as readonly string[]).includes(field))
    const ofKind = kinds.map(kind => {
      placeholders.values[`:${kind}`] = { S: kind }
      return `:${kind}`
    })
    return [`#${field} = ${value}`, kinds.length > 0 ? `${unlike} AND #event IN (${ofKind})` : unlike]
  })
  return `(${tests.join(' OR ')})`
}

function isUnlike(field: string, type: 'S' | 'N', { names, values }: Placeholders): string {
  names[`#${field}`] = field
  values[`:type${type}`] = { S: type }
  return `NOT attribute_type(#${field}, :type${type})`
}
