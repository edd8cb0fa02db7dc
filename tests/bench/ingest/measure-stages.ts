import { decodeLog } from '../../../lib/chain/logs/decode-log.ts'
import type { RawLog } from '../../../lib/chain/logs/raw-log.ts'
import { createRangeSize } from '../../../lib/chain/nodes/range-size.ts'
import { createChainReader, type ReaderOptions } from '../../../lib/chain/nodes/read-chain.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { readRanges } from '../../../lib/ingest/indexer/read-ranges.ts'
import { itemsOf } from '../../../lib/store/format/event-items.ts'

/** The seconds of the stages of a backfill before writing. Each stage is measured alone. */
export async function measureStages(options: ReaderOptions, lastBlock: number) {
  const { signal } = new AbortController()
  const logs: RawLog[] = []
  const read = await secondsOf(async () => {
    const ranges = readRanges(
      createChainReader(options),
      { first: 0, last: lastBlock },
      { size: createRangeSize(), signal },
    )
    for await (const range of ranges) logs.push(...range.logs)
  })
  const records: EventRecord[] = []
  const decode = await secondsOf(() => {
    for (const log of logs) {
      const decoded = decodeLog(log)
      if ('record' in decoded) records.push(decoded.record)
    }
  })
  const makeItems = await secondsOf(() => {
    for (const record of records) itemsOf(record)
  })
  return { read, decode, makeItems }
}

async function secondsOf(work: () => Promise<void> | void): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
