import type { Internals, Item, Reading, ReadingResult } from 'dynalite/db'

export interface RowsRead {
  items: Item[]
  capacityBytes: number
  /** Whether the reading stopped at a limit, which means that there may be more rows. */
  isCut: boolean
}

interface Answered {
  reading: Reading
  page: RowsRead
  startKeyNames: string[]
}

/**
 * Whether `readingResult` supports the Query or Scan. It supports every Query and Scan that the service and its tests
 * send.
 */
export const isSupported = ({ ReturnConsumedCapacity, AttributesToGet, QueryFilter, ScanFilter }: Reading) =>
  ReturnConsumedCapacity !== 'INDEXES' && !(AttributesToGet ?? QueryFilter ?? ScanFilter)

export function readingResult(db: Internals, { reading, page, startKeyNames }: Answered): ReadingResult {
  const { TableName, Select, ConsistentRead, ReturnConsumedCapacity, _filter, _projection } = reading
  const { items, capacityBytes, isCut } = page
  const last = items.at(-1)
  const found = _filter ? items.filter(item => db.matchesExprFilter(item, _filter.expression)) : items
  const CapacityUnits = Math.ceil(capacityBytes / 4096) * (ConsistentRead ? 1 : 0.5)
  return {
    ScannedCount: items.length,
    Count: found.length,
    ...(isCut &&
      last && { LastEvaluatedKey: Object.fromEntries(startKeyNames.map(name => [name, last[name] ?? {}])) }),
    ...(Select !== 'COUNT' && {
      Items: _projection ? found.map(item => db.mapPaths(_projection.paths, item)) : found,
    }),
    ...(ReturnConsumedCapacity === 'TOTAL' && { ConsumedCapacity: { CapacityUnits, TableName } }),
  }
}
