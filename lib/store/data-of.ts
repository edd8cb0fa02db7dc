import type { AttributeMap } from './event-table.ts'
import { DATA } from './keys.ts'

/** An item's bytes. Throws a `TypeError` where it has none. */
export function dataOf(item: AttributeMap): Buffer {
  const data: unknown = item[DATA]?.B
  if (data instanceof Uint8Array) return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  throw new TypeError('It has no data')
}
