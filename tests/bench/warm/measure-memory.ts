import type { EventRecord } from '../../../lib/events/record.ts'
import { newestEvents, walletEvents } from '../recorded/newest-events.ts'
import { startRecordedEngine } from '../recorded/recorded-engine.ts'
import { table } from '../recorded/report.ts'
import { type Round, startFunction } from './warm-function.ts'

interface MeasuredFunction {
  file: string
  environment: NodeJS.ProcessEnv
}

const LARGEST_LIMIT = 500
/**
 * With this many ids and quantities of 78 digits each, 500 records slightly exceed the maximum size of a response, 5
 * MB.
 */
const IDS_PER_RECORD = 57
const LONGEST_ID = `1${'0'.repeat(77)}`

/** Makes records with so many long ids that each record's item in the user's list takes nearly 4 KB. */
function longEvents(): EventRecord[] {
  const ids = Array.from({ length: IDS_PER_RECORD }, () => LONGEST_ID)
  return walletEvents()
    .slice(0, LARGEST_LIMIT + 1)
    .map(record => {
      const { id, network, address, blockNumber, blockHash, transactionHash, logIndex, createdAt } = record
      const common = { id, network, address, blockNumber, blockHash, transactionHash, logIndex, createdAt }
      const user = newestEvents.wallet
      const roles = { operator: user, from: user, to: user }
      return { ...common, ...roles, event: 'TransferBatch', tokenIds: ids, quantities: ids } as EventRecord
    })
}

/** Measures how much memory a new process needs to answer with the longest pages. */
export async function measurePeak({ file }: MeasuredFunction): Promise<string> {
  await using engine = await startRecordedEngine(longEvents())
  await using warm = startFunction(file, engine.environment)
  const small = await warm.answer(newestEvents.ofUser(1), 1)
  const once = await warm.answer(newestEvents.ofUser(LARGEST_LIMIT), 1)
  const often = await warm.answer(newestEvents.ofUser(LARGEST_LIMIT), 20)
  return `A new process of \`user-events\` takes at most ${small.peakMb.toFixed(0)} MB of memory while it answers with one record, at most ${once.peakMb.toFixed(0)} MB while it then answers with the longest page (${(once.bodyBytes / 1e6).toFixed(1)} MB), and at most ${often.peakMb.toFixed(0)} MB while it answers with this page twenty more times.`
}

const REQUESTS = 100_000
const PARTS = 10

/** Throws if the memory in use grows over 100,000 requests. */
export async function measureGrowth({ file, environment }: MeasuredFunction): Promise<string> {
  await using warm = startFunction(file, environment)
  const parts: Round[] = []
  while (parts.length < PARTS) parts.push(await warm.answer(newestEvents.ofUser(1), REQUESTS / PARTS))
  const [first = 0, last = 0] = [parts[1]?.heapMb, parts.at(-1)?.heapMb]
  // The memory of code and caches varies a little. A leak of 100 bytes per request would add 8 MB between these two
  // parts.
  if (last - first > 1) throw new Error(`Memory has grown from ${first} to ${last} MB`)
  return table(
    'requests so far | heap after a garbage collection, MB | largest memory so far, MB',
    parts.map(({ heapMb, peakMb }, part) => [
      ...[((part + 1) * REQUESTS) / PARTS, heapMb.toFixed(2), peakMb.toFixed(0)],
    ]),
  )
}
