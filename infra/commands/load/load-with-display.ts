import { closeSync, openSync, writeSync } from 'node:fs'
import {
  type LoadOptions,
  type LoadProgress,
  type LoadSummary,
  loadFiles,
  type Reject,
  type StoreOptions,
} from '../../../lib/ingest/load-files.ts'
import { displayProgress, type Progress } from '../shared/progress-display.ts'
import type { Reporter } from '../shared/reporter.ts'

/** More lines than anyone reads; the count that follows them is complete. */
const MAX_SHOWN_REJECTS = 20

export interface DisplayOptions extends Omit<LoadOptions, 'onReject'> {
  /** Where to write all lines that are left out, rather than the first few on standard error. */
  rejectsFile?: string | undefined
}

/** Loads files into a table, and shows it as `withDisplay` does. */
export const loadWithDisplay = (
  { rejectsFile, onProgress, ...options }: DisplayOptions,
  reporter: Reporter,
): Promise<LoadSummary> =>
  withDisplay({ doing: 'Loading', done: 'stored', rejectsFile, onProgress, reporter }, shown =>
    loadFiles({ ...options, ...shown }),
  )

interface Display extends Pick<StoreOptions, 'onProgress'>, Pick<DisplayOptions, 'rejectsFile'> {
  /** What is going on, and what has become of events that are through. */
  doing: string
  done: string
  reporter: Reporter
}

/**
 * Reads files, says how far it is and which lines were left out and why, as `file:line: reason`, also when reading
 * fails half-way.
 */
export async function withDisplay(
  { doing, done, rejectsFile, onProgress, reporter }: Display,
  read: (shown: Pick<StoreOptions, 'onProgress' | 'onReject'>) => Promise<LoadSummary>,
): Promise<LoadSummary> {
  const rejects = rejectsFile === undefined ? showRejects(reporter) : writeRejects(rejectsFile)
  const startedAt = performance.now()
  let progress: LoadProgress | undefined
  const display = displayProgress(
    reporter,
    () => progress && progressOf(progress, { doing, done, elapsedMs: performance.now() - startedAt }),
  )
  try {
    return await read({
      onProgress: now => {
        progress = now
        onProgress?.(now)
      },
      onReject: rejects.add,
    })
  } finally {
    display.stop()
    rejects.finish()
  }
}

interface Doing extends Pick<Display, 'doing' | 'done'> {
  elapsedMs: number
}

function progressOf(
  { bytesRead, bytesTotal, events }: LoadProgress,
  { doing, done, elapsedMs }: Doing,
): Progress {
  const total = Math.max(bytesRead, bytesTotal)
  const eventsPerSecond = Math.round((events * 1000) / Math.max(1, elapsedMs))
  const part = Math.floor((100 * bytesRead) / Math.max(1, total))
  return {
    done: bytesRead,
    total,
    message: `${doing}: ${part}% read, ${events} events ${done}, ${eventsPerSecond}/s`,
    fields: { bytesRead, bytesTotal, events, eventsPerSecond },
  }
}

const rejectLine = ({ file, line, reason }: Reject) => `${file}:${line}: ${reason}`

/** Keeps the first few until the progress bar is out of the way. */
function showRejects(reporter: Reporter) {
  const shown: Reject[] = []
  let count = 0
  return {
    add(reject: Reject) {
      count += 1
      if (shown.length < MAX_SHOWN_REJECTS) shown.push(reject)
    },
    finish() {
      for (const reject of shown) reporter.tell({ event: 'rejected', ...reject, message: rejectLine(reject) })
      if (count <= shown.length) return
      const message = `… and ${count - shown.length} more lines that were left out`
      reporter.tell({ event: 'rejected-more', count: count - shown.length, message })
    },
  }
}

function openForWriting(file: string): number {
  try {
    return openSync(file, 'w')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw new Error(`Can't write ${file}: ${code === 'ENOENT' ? 'there is no such folder' : message}`, {
      cause,
    })
  }
}

function writeRejects(file: string) {
  const descriptor = openForWriting(file)
  return {
    // Written at once, so that however many there are none waits in memory.
    add: (reject: Reject) => void writeSync(descriptor, `${rejectLine(reject)}\n`),
    finish: () => closeSync(descriptor),
  }
}
