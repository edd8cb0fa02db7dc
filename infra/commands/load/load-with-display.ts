import { closeSync, openSync, writeSync } from 'node:fs'
import {
  type LoadOptions,
  type LoadProgress,
  type LoadSummary,
  loadFiles,
  type Reject,
  type StoreOptions,
} from '../../../lib/ingest/load-files.ts'
import { counted } from '../shared/counted.ts'
import { quotable } from '../shared/printable.ts'
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
 * fails half-way. Of files that `damageIn` tells people about, it does not list the lines.
 */
export async function withDisplay(
  { doing, done, rejectsFile, onProgress, reporter }: Display,
  read: (shown: Pick<StoreOptions, 'onProgress' | 'onReject'>) => Promise<LoadSummary>,
): Promise<LoadSummary> {
  const rejects = rejectsFile === undefined ? showRejects(reporter) : writeRejects(rejectsFile)
  const startedAt = performance.now()
  let progress: LoadProgress | undefined
  let summary: LoadSummary | undefined
  const display = displayProgress(
    reporter,
    () => progress && progressOf(progress, { doing, done, elapsedMs: performance.now() - startedAt }),
  )
  try {
    summary = await read({
      onProgress: now => {
        progress = now
        onProgress?.(now)
      },
      onReject: rejects.add,
    })
    return summary
  } finally {
    display.stop()
    const told = reporter.format === 'text' ? (summary?.withoutEvents ?? []) : []
    rejects.finish({ except: told.map(({ file }) => file) })
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
    message: `${doing}: ${part}% read, ${counted(events, 'event')} ${done}, ${eventsPerSecond}/s`,
    fields: { bytesRead, bytesTotal, events, eventsPerSecond },
  }
}

const rejectLine = ({ file, line, reason }: Reject) => `${file}:${line}: ${quotable(reason)}`

/** Keeps the first few of each file until the progress bar is out of the way. */
function showRejects(reporter: Reporter) {
  const byFile = new Map<string, { first: Reject[]; count: number }>()
  return {
    add(reject: Reject) {
      // Told with its file.
      if (reject.code === 'cut-off') return
      const { first, count } = byFile.get(reject.file) ?? { first: [], count: 0 }
      if (first.length < MAX_SHOWN_REJECTS) first.push(reject)
      byFile.set(reject.file, { first, count: count + 1 })
    },
    finish({ except }: { except: readonly string[] }) {
      for (const file of except) byFile.delete(file)
      const files = [...byFile.values()]
      const shown = files.flatMap(({ first }) => first).slice(0, MAX_SHOWN_REJECTS)
      for (const reject of shown) reporter.tell({ event: 'rejected', ...reject, message: rejectLine(reject) })
      const more = files.reduce((sum, { count }) => sum + count, -shown.length)
      if (more === 0) return
      const message = `… and ${counted(more, 'more line')} left out`
      reporter.tell({ event: 'rejected-more', count: more, message })
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
