import { blockDigits, MAX_SECONDS } from '../../events/place.ts'
import type { BlockTimeAsked, CallOptions, EventStore } from '../../query/event-store.ts'
import type { EventTable } from '../event-table.ts'
import { blockTimesList, LIST_KEY, PLACE_KEY } from '../format/keys.ts'
import { sendQuery } from './send-query.ts'

const MAX_KNOWN = 10_000
/**
 * How long a time is cached: an hour, because times change only if nodes reported an orphaned block as final, or a load
 * was wrong.
 */
const MAX_AGE_MS = 3_600_000
/** How long a result without a time is cached: only briefly, because a time may be stored at any moment. */
const MAX_NONE_AGE_MS = 60_000

/** A time that is not cached costs one Query of half a read unit. */
export function createBlockTimeReader(
  table: EventTable,
  { now = Date.now }: { now?: () => number } = {},
): EventStore['readBlockTime'] {
  const known = new Map<string, { seconds: number | undefined; readAt: number }>()

  return async (asked, options = {}) => {
    const key = `${asked.network} ${asked.side} ${asked.blockNumber}`
    const found = known.get(key)
    const maxAgeMs = found?.seconds === undefined ? MAX_NONE_AGE_MS : MAX_AGE_MS
    if (found && Math.abs(now() - found.readAt) < maxAgeMs) {
      return { seconds: found.seconds, calls: 0, examined: 0, readUnits: 0 }
    }
    const read = await readNearest(asked, { ...table, ...options })
    known.delete(key)
    known.set(key, { seconds: read.seconds, readAt: now() })
    const [oldest] = known.keys()
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
    return read
  }
}

async function readNearest({ network, blockNumber, side }: BlockTimeAsked, table: EventTable & CallOptions) {
  const { Items: [item] = [], ConsumedCapacity } = await sendQuery(table, {
    TableName: table.tableName,
    KeyConditionExpression: `#list = :list AND #place ${side === 'before' ? '<=' : '>='} :block`,
    ExpressionAttributeNames: { '#list': LIST_KEY, '#place': PLACE_KEY },
    ExpressionAttributeValues: {
      ':list': { S: blockTimesList(network) },
      ':block': { S: blockDigits(blockNumber) },
    },
    ScanIndexForward: side === 'behind',
    Limit: 1,
    ReturnConsumedCapacity: 'TOTAL',
  })
  const seconds = Number(item?.timestamp?.N)
  return {
    seconds: Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_SECONDS ? seconds : undefined,
    calls: 1,
    examined: item ? 1 : 0,
    readUnits: ConsumedCapacity?.CapacityUnits ?? 0,
  }
}
