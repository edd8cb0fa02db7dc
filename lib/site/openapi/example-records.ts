import path from 'node:path'
import { EVENT_KINDS, type EventKind, ZERO_ADDRESS } from '../../events/event-kinds.ts'
import { usersOf } from '../../events/lists.ts'
import type { EventRecord } from '../../events/record.ts'
import { readEvents } from '../../ingest/load/read-events.ts'

const BUNDLED_DATA = path.join(import.meta.dirname, '../../../infra/local/data')
/** The first file contains real logs, and the second adds the kinds and networks that no public recording contains. */
const FILES = ['chain-logs.ndjson', 'recorded.ndjson'].map(name => path.join(BUNDLED_DATA, name))

type ByKind = { [Kind in EventKind]: EventRecord & { event: Kind } }

export interface Examples {
  /** One record of each kind, short enough to read. */
  byKind: ByKind
  user: string
  userPage: [EventRecord, ...EventRecord[]]
  mint: Extract<EventRecord, { from: string }>
}

const PAGE_SIZE = 2

/** The same data always gives the same examples. */
export async function readExamples(): Promise<Examples> {
  const records: EventRecord[] = []
  for await (const { outcome } of readEvents(FILES)) {
    if (typeof outcome === 'object' && 'record' in outcome) records.push(outcome.record)
  }
  const user = busiestUser(records)
  const ofUser = records.filter(record => usersOf(record).includes(user)).toSorted(latestFirst)
  const userPage = ofUser.slice(0, PAGE_SIZE) as Examples['userPage']
  const byKind = Object.fromEntries(EVENT_KINDS.map(kind => [kind, shortest(records, kind)]))
  const mint = records.find(record => 'from' in record && record.from === ZERO_ADDRESS)
  if (!mint || !('from' in mint)) throw new Error('The bundled data contains no mint')
  return { byKind: byKind as unknown as ByKind, user, userPage, mint }
}

/** A batch must have two or three tokens: fewer would not look like a batch, and more would be too long. */
function shortest(records: readonly EventRecord[], kind: EventKind): EventRecord {
  const [found] = records.filter(
    record =>
      record.event === kind &&
      (!/Batch/.test(kind) || ('tokenIds' in record && [2, 3].includes(record.tokenIds.length))),
  )
  if (!found) throw new Error(`The bundled data contains no example of ${kind}`)
  return found
}

function busiestUser(records: readonly EventRecord[]): string {
  const users = records.flatMap(usersOf).filter(user => user !== ZERO_ADDRESS)
  const byUser = Map.groupBy(users, user => user)
  const [busiest] = [...byUser].toSorted(([, a], [, b]) => b.length - a.length)
  if (!busiest) throw new Error('The bundled data contains no user')
  return busiest[0]
}

const latestFirst = (a: EventRecord, b: EventRecord) =>
  b.createdAt.localeCompare(a.createdAt) || b.blockNumber - a.blockNumber || b.logIndex - a.logIndex
