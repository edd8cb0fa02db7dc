import type { Internals, Item, Reading, ReadingResult } from 'dynalite/db'

/** The rows of a page, in the order of their keys. */
export interface RowsRead {
  items: Item[]
  capacityBytes: number
  /** Whether a limit ended the reading before the last row. */
  isCut: boolean
}

interface Answered {
  reading: Reading
  page: RowsRead
  isLocal: boolean | undefined
  startKeyNames: string[]
}

export function readingResult(
  db: Internals,
  { reading, page, isLocal, startKeyNames }: Answered,
): ReadingResult {
  const { Select, AttributesToGet, _filter, _projection } = reading
  const { items, isCut } = page
  const last = items.at(-1)
  const filter = reading.QueryFilter ?? reading.ScanFilter
  let found = items
  if (_filter) found = items.filter(item => db.matchesExprFilter(item, _filter.expression))
  else if (filter) found = items.filter(item => db.matchesFilter(item, filter, reading.ConditionalOperator))
  const paths = _projection?.paths ?? AttributesToGet
  return {
    ScannedCount: items.length,
    Count: found.length,
    ...(isCut &&
      last && { LastEvaluatedKey: Object.fromEntries(startKeyNames.map(name => [name, last[name] ?? {}])) }),
    ...(Select !== 'COUNT' && { Items: paths ? found.map(item => db.mapPaths(paths, item)) : found }),
    ...consumedCapacity(reading, { units: unitsOf(page, reading), isLocal }),
  }
}

const unitsOf = ({ capacityBytes }: RowsRead, { ConsistentRead }: Reading) =>
  Math.ceil(capacityBytes / 4096) * (ConsistentRead ? 1 : 0.5)

function consumedCapacity(
  { ReturnConsumedCapacity, TableName, IndexName }: Reading,
  { units, isLocal }: { units: number; isLocal: boolean | undefined },
): Pick<ReadingResult, 'ConsumedCapacity'> {
  if (ReturnConsumedCapacity !== 'TOTAL' && ReturnConsumedCapacity !== 'INDEXES') return {}
  const total = { CapacityUnits: units, TableName }
  if (ReturnConsumedCapacity === 'TOTAL') return { ConsumedCapacity: total }
  const ofIndex = isLocal ? 'LocalSecondaryIndexes' : 'GlobalSecondaryIndexes'
  return {
    ConsumedCapacity: {
      ...total,
      Table: { CapacityUnits: IndexName ? 0 : units },
      ...(IndexName && { [ofIndex]: { [IndexName]: { CapacityUnits: units } } }),
    },
  }
}
