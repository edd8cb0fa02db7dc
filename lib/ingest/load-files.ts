import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { EventKind } from '../events/event-kinds.ts'
import type { Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import { type BlockTime, putBlockTimes } from '../store/block-times.ts'
import { type WriteOptions, writeEvents } from '../store/write-events.ts'
import { announceLoad } from './announce-load.ts'
import { checkFile } from './check-file.ts'
import { createBlockNotes } from './note-blocks.ts'
import { type ReadLog, type ReadOptions, readEvents } from './read-events.ts'
import type { Rejection } from './rejection.ts'

export interface StoreOptions extends ReadOptions {
  files: readonly string[]
  /** Called often; what to show of it is the caller's business. */
  onProgress?: ((progress: LoadProgress) => void) | undefined
  /** Called for every line that is left out. */
  onReject?: ((reject: Reject) => void) | undefined
}

export interface LoadOptions
  extends StoreOptions,
    Omit<WriteOptions, 'onStored' | 'beforeRequest' | 'signal'> {
  /** How long the log of rewinds, and so cursors of the feed of changes, are kept. */
  changesKeptDays?: number | undefined
}

/** Where events go. */
export interface EventSink {
  /** Stores records as they come, tells how many are, and resolves with the write units used. */
  storeEvents(
    records: AsyncIterable<EventRecord>,
    onStored: (soFar: { events: number }) => void,
  ): Promise<{ writeUnits: number }>
  /** Stores the times of some blocks of these events; resolves with the write units used. */
  storeBlockTimes(network: Network, times: readonly BlockTime[]): Promise<number>
}

export interface LoadProgress {
  bytesRead: number
  /** The size of all files; what is no plain file, such as a pipe, counts nothing. */
  bytesTotal: number
  /** Events that are stored by now. */
  events: number
}

export interface Reject extends Rejection {
  file: string
  line: number
}

export interface LoadSummary {
  /** Lines that are not empty: `loaded`, `duplicates` and `rejected` together. */
  lines: number
  loaded: number
  /** Lines that say once more what an earlier line said. */
  duplicates: number
  rejected: number
  /** What was loaded, by network and event in the order of their names. */
  byKind: KindCount[]
  /** Files that hold something, but no event. */
  withoutEvents: FileWithoutEvents[]
  /** Files that end in the middle of a log, or of a list of logs. What stands before is loaded. */
  cutOff: CutOffFile[]
  /** What DynamoDB counted, in write units. */
  writeUnits: number
}

export interface FileWithoutEvents {
  file: string
  lines: number
  /** The first lines that were left out, one for each reason. */
  first: FirstReject[]
}

interface FirstReject extends Reject {
  /** How the line begins. */
  beginning: string
  /** How many lines were left out for the same reason. */
  count: number
}

export interface CutOffFile {
  file: string
  /** The line on which it ends. */
  line: number
}

const SHOWN_FIRST = 3

interface KindCount {
  network: Network
  event: EventKind
  count: number
}

const LINES_BETWEEN_PROGRESS = 1000

/**
 * Loads files of logs into a table. Memory does not grow with the files. Loading the same
 * again, also after a stop or an error, changes nothing that is stored already. Who follows the table's changes is told
 * of what is added before events that are stored. Throws what `storeFiles` throws.
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
  // After an error some writes may still be on their way; that it has died is seen by itself.
  await announcer.end()
  return summary
}

/**
 * Reads files of logs and has their events stored. A line that is no log of a known event, or
 * contradicts an earlier one, is reported and the rest is stored. Throws `UnreadableFileError` before anything is
 * stored, and whatever `sink` throws.
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
  const sizes = await Promise.all(files.map(checkFile))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function createTally(onReject: StoreOptions['onReject']) {
  const counts = { lines: 0, loaded: 0, duplicates: 0, rejected: 0 }
  const kinds = new Map<string, KindCount>()
  const withoutEvents = new Map<string, FileWithoutEvents>()
  const withEvents = new Set<string>()
  const cutOff: CutOffFile[] = []

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
    /** The line's record, if it is to be loaded. */
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
        if (!withEvents.has(file)) noteReject({ ...reject, beginning })
        return undefined
      }
      foundEvent(file)
      counts.loaded += 1
      const { network, event } = outcome.record
      const kind = kinds.get(`${network} ${event}`) ?? { network, event, count: 0 }
      kinds.set(`${network} ${event}`, { ...kind, count: kind.count + 1 })
      return outcome.record
    },
    lines: () => counts.lines,
    summary() {
      const byName = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1))
      const byKind = byName.map(([, kind]) => kind)
      return { ...counts, byKind, withoutEvents: [...withoutEvents.values()], cutOff }
    },
  }
}
