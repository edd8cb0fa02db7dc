import type { Item } from '../store/format/event-items.ts'
import { INDEXES } from '../store/format/keys.ts'

const WRITE_UNIT_BYTES = 1024
const INDEX_KEYS = Object.values(INDEXES).map(({ key }) => key)

/**
 * The size of an item in bytes by DynamoDB's rules: names and strings in UTF-8, and numbers with two digits per byte.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + name.length + valueBytes(value), 0)
}

/** Counts the item's copies: one in the table, and one in each index whose key attribute the item has. */
export const copiesOf = (item: Item): number => 1 + INDEX_KEYS.filter(key => item[key] !== undefined).length

/**
 * The cost of writing an item once, in write units: one unit per KB or part of a KB, in the table and in each index
 * that contains the item.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
 */
export const itemWriteUnits = (item: Item): number =>
  copiesOf(item) * Math.ceil(itemBytes(item) / WRITE_UNIT_BYTES)

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1
  if (Array.isArray(value)) return 3 + value.reduce((sum, element) => sum + 1 + valueBytes(element), 0)
  if (value instanceof Uint8Array) return value.byteLength
  throw new TypeError(`An item must not contain a value of the type ${typeof value}`)
}
