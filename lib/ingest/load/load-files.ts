import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Rejection } from '../../chain/logs/raw-log.ts'
import type { EventKind } from '../../events/event-kinds.ts'
import type { Network } from '../../events/networks.ts'
import type { EventRecord } from '../../events/record.ts'
import { type BlockTime, putBlockTimes } from '../../store/writing/block-times.ts'
import { type WriteOptions, writeEvents } from '../../store/writing/write-events.ts'
import { announceLoad } from './announce-load.ts'
import { checkFile } from './check-file.ts'
import { createBlockNotes } from './note-blocks.ts'
import { type ReadLog, type ReadOptions, readEvents } from './read-events.ts'

export interface StoreOptions extends ReadOptions {
  files: readonly string[]
  /** Called very often, so the callback should not update a display on every call. */
  onProgress?: ((progress: LoadProgress) => void) | undefined
  onReject?: ((reject: Reject) => void) | undefined
}

export interface LoadOptions
  extends StoreOptions,
    Omit<WriteOptions, 'onStored' | 'beforeRequest' | 'signal'> {
  /** The number of days for which the log of revisions keeps an entry after a newer entry is appended. */
  changesKeptDays?: number | undefined
}

export interface EventSink {
  storeEvents(
    records: AsyncIterable<EventRecord>,
    onStored: (soFar: { events: number }) => void,
  ): Promise<{ writeUnits: number }>
  /** Resolves with the write units used. */
  storeBlockTimes(network: Network, times: readonly BlockTime[]): Promise<number>
}

export interface LoadProgress {
  bytesRead: number
  /** The size of all files in bytes. A pipe or another special file has the size 0. */
  bytesTotal: number
  events: number
}

export interface Reject extends Rejection {
  file: string
  line: number
}

export interface LoadSummary {
  /** The number of logs and other non-empty lines, which is the sum of `loaded`, `duplicates` and `rejected`. */
  lines: number
  loaded: number
  duplicates: number
  rejected: number
  /** The number of loaded events for each network and kind of event, sorted by network and then by kind. */
  byKind: KindCount[]
  /** The files that are not empty, but contain no event. */
  withoutEvents: FileWithoutEvents[]
  /** The files that end in the middle of a log or of a list of logs. The logs before the cut are loaded. */
  cutOff: CutOffFile[]
  /** The first loaded event with a time in the future. Set only if a rejected line contradicts an earlier line. */
  fromFuture?: FutureEvent | undefined
  writeUnits: number
}

export interface FutureEvent {
  file: string
  line: number
  createdAt: string
  /** The number of rejected lines that contradict an earlier line, most likely the line of this event. */
  contradicting: number
}

export interface FileWithoutEvents {
  file: string
  lines: number
  /** The first three reasons for rejecting a line, each with the first line that was rejected for this reason. */
  first: FirstReject[]
}

interface FirstReject extends Reject {
  beginning: string
  count: number
}

export interface CutOffFile {
  file: string
  /** The line on which the file ends. */
  line: number
}

const SHOWN_FIRST = 3
/** The tolerated difference between this machine's clock and the block times of a chain. */
const CLOCK_DIFFERENCE_MS = 3_600_000

interface KindCount {
  network: Network
  event: EventKind
  count: number
}

const LINES_BETWEEN_PROGRESS = 1000

/**
 * Memory use does not grow with the size of the files. Loading the same files again, even after an interruption or an
 * error, changes no stored event. Announces the load to readers of the feed of changes, because the load may add events
 * at places that they have already read. Throws the errors of `storeFiles`.
 */
export async function loadFiles(options: LoadOptions): Promise<LoadSummary> {
  const { onProgress: _, onReject: __, changesKeptDays: keptDays, ...writing } = options
  const table = { ...writing, client: DynamoDBDocumentClient.from(writing.client) }
  const announcer = announceLoad({ ...table, keptDays })
  async function* announced(records: AsyncIterable<EventRecord>): AsyncGenerator<EventRecord> {
    for await (const record of records) {
      await announcer.cover(record)
      yield record
    }
  }
  const summary = await storeFiles(options, {
    storeEvents: (records, onStored) =>
      writeEvents({ ...writing, onStored, beforeRequest: announcer.renew }, announced(records)),
    storeBlockTimes: (network, times) => putBlockTimes(network, times, table),
  })
  // Only a successful load announces its end, because some writes may still be in progress after an error. If no end is
  // announced, readers of the feed treat the load as dead when its last announcement expires.
  await announcer.end()
  return summary
}

/**
 * Reads log files, and passes their events to `sink`. Rejects and reports each line that is not a log of a known event,
 * or that contradicts an event that `createInvariantCheck` still remembers. If a file cannot be opened, throws a
 * one-line error before anything is stored. If its content cannot be read, throws such an error later. Also throws the
 * errors of `sink`.
 */
export async function storeFiles(
  { files, onProgress, onReject, ...reading }: StoreOptions,
  sink: EventSink,
): Promise<LoadSummary> {
  const progress: LoadProgress = { bytesRead: 0, bytesTotal: await sizeOf(files), events: 0 }
  const tally = createTally(onReject)
  const notes = createBlockNotes()

  async function* readRecords(): AsyncGenerator<EventRecord> {
    for await (const line of readEvents(files, reading)) {
      progress.bytesRead = line.bytesRead
      const record = tally.add(line)
      if (record) {
        notes.add(record)
        yield record
      }
      if (tally.lines() % LINES_BETWEEN_PROGRESS === 0) onProgress?.({ ...progress })
    }
  }

  const onStored = ({ events }: { events: number }) => {
    progress.events = events
    onProgress?.({ ...progress })
  }
  let { writeUnits } = await sink.storeEvents(readRecords(), onStored)
  for (const [network, times] of notes.final()) writeUnits += await sink.storeBlockTimes(network, times)
  onProgress?.({ ...progress, bytesRead: Math.max(progress.bytesRead, progress.bytesTotal) })
  return { ...tally.summary(), writeUnits }
}

async function sizeOf(files: readonly string[]): Promise<number> {
  return (await Promise.all(files.map(checkFile))).reduce((sum, size) => sum + size, 0)
}

function createTally(onReject: StoreOptions['onReject']) {
  const counts = { lines: 0, loaded: 0, duplicates: 0, rejected: 0 }
  const kinds = new Map<string, KindCount>()
  const withoutEvents = new Map<string, FileWithoutEvents>()
  const withEvents = new Set<string>()
  const cutOff: CutOffFile[] = []
  const newest = new Date(Date.now() + CLOCK_DIFFERENCE_MS).toISOString()
  let future: Omit<FutureEvent, 'contradicting'> | undefined
  let contradicting = 0

  function foundEvent(file: string) {
    withEvents.add(file)
    withoutEvents.delete(file)
  }
  function noteReject(reject: Omit<FirstReject, 'count'>) {
    const { file, reason } = reject
    const found: FileWithoutEvents = withoutEvents.get(file) ?? { file, lines: 0, first: [] }
    withoutEvents.set(file, found)
    found.lines += 1
    const same = found.first.find(each => each.reason === reason)
    if (same) same.count += 1
    else if (found.first.length < SHOWN_FIRST) found.first.push({ ...reject, count: 1 })
  }

  return {
    /** Counts a line, and returns its record if the record must be loaded. */
    add({ file, line, beginning, outcome }: ReadLog): EventRecord | undefined {
      counts.lines += 1
      if (outcome === 'duplicate') {
        counts.duplicates += 1
        foundEvent(file)
        return undefined
      }
      if ('rejection' in outcome) {
        counts.rejected += 1
        const reject = { file, line, ...outcome.rejection }
        onReject?.(reject)
        if (reject.code === 'cut-off') cutOff.push({ file, line })
        if (reject.code === 'broken-invariant') contradicting += 1
        if (!withEvents.has(file)) noteReject({ ...reject, beginning })
        return undefined
      }
      foundEvent(file)
      counts.loaded += 1
      const { network, event, createdAt } = outcome.record
      if (createdAt > newest) future ??= { file, line, createdAt }
      const kind = kinds.get(`${network} ${event}`) ?? { network, event, count: 0 }
      kinds.set(`${network} ${event}`, { ...kind, count: kind.count + 1 })
      return outcome.record
    },
    lines: () => counts.lines,
    summary() {
      const byKind = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind)
      const fromFuture = future && contradicting > 0 ? { ...future, contradicting } : undefined
      return { ...counts, byKind, withoutEvents: [...withoutEvents.values()], cutOff, fromFuture }
    },
  }
}
