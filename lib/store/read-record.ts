import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { isInList } from '../events/lists.ts'
import { parseRecord } from '../events/parse-record.ts'
import { placeOf } from '../events/place.ts'
import { type EventRecord, recordId } from '../events/record.ts'
import { corruptRow } from './corrupt-row.ts'
import type { AttributeMap } from './event-table.ts'
import { INDEXES, LIST_KEY, PLACE_KEY, pathInKey } from './keys.ts'
import type { LongFields } from './long-fields.ts'

/** What an item holds beside the record's own fields. */
const OWN_ATTRIBUTES = new Set<string>([
  LIST_KEY,
  PLACE_KEY,
  ...Object.values(INDEXES).map(({ key }) => key),
  'chunks',
  'bytes',
])

/**
 * The record that an item holds, `long` being its long fields where they are kept apart. Throws
 * `CorruptRowError` for whatever the record model does not allow: a row left out in silence would be
 * a wrong answer.
 */
export function readRecord(item: AttributeMap, long: LongFields = {}): EventRecord {
  try {
    const candidate: Record<string, unknown> = {}
    for (const name in item) {
      if (!OWN_ATTRIBUTES.has(name)) candidate[name] = plainValue(item[name])
    }
    Object.assign(candidate, long)
    candidate.id = recordId(candidate as EventRecord)
    const record = parseRecord(candidate)
    if (placeOf(record) !== item[PLACE_KEY]?.S) throw new TypeError('The place is not that of the record')
    if (!isInOwnList(record, item)) throw new TypeError('The list is none of the record')
    return record
  } catch (cause) {
    throw corruptRow(item, cause)
  }
}

/** An event that stands in a list by mistake would be an answer to queries that it doesn't match. */
function isInOwnList(record: EventRecord, item: AttributeMap): boolean {
  const path = pathInKey(item[LIST_KEY]?.S ?? '', record.network)
  if (path === undefined) return false
  const overNetworks = item[INDEXES.user.key] ?? item[INDEXES.token.key]
  return isInList(record, path) && (overNetworks === undefined || overNetworks.S === path)
}

function plainValue(value: AttributeValue | undefined): unknown {
  if (value?.S !== undefined) return value.S
  if (value?.N !== undefined) return Number(value.N)
  if (value?.L !== undefined) return value.L.map(plainValue)
  throw new TypeError('An attribute is neither text, number nor list')
}
