import type { Item } from './item.ts'

/**
 * The size of an item as DynamoDB reckons it: names and texts in UTF-8, two digits of a number a byte.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + name.length + valueBytes(value), 0)
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1
  if (Array.isArray(value)) return 3 + value.reduce((sum, element) => sum + 1 + valueBytes(element), 0)
  if (value instanceof Uint8Array) return value.byteLength
  throw new TypeError('No item holds such a value')
}
