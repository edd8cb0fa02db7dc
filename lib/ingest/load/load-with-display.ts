import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { fileProblem } from '../../kit/file-problem.ts'
import { counted, quotable } from '../../kit/printable.ts'
import { displayProgress, type Progress } from '../../kit/progress-display.ts'
import type { Reporter } from '../../kit/reporter.ts'
import {
  type LoadOptions,
  type LoadProgress,
  type LoadSummary,
  loadFiles,
  type Reject,
  type StoreOptions,
} from './load-files.ts'

const MAX_SHOWN_REJECTS = 20

export interface DisplayOptions extends Omit<LoadOptions, 'onReject'> {
  /** The file that receives all rejected lines. Without this file, standard error shows the first few lines. */
  rejectsFile?: string | undefined
}

export const loadWithDisplay = (
  { rejectsFile, onProgress, ...options }: DisplayOptions,
  reporter: Reporter,
): Promise<LoadSummary> => {
  const { files } = options
  const display = { doing: 'Loading', done: 'stored', files, rejectsFile, onProgress, reporter }
  return withDisplay(display, shown => loadFiles({ ...options, ...shown }))
}

interface Display extends Pick<StoreOptions, 'files' | 'onProgress'>, Pick<DisplayOptions, 'rejectsFile'> {
  /** The words for the progress line, such as `Loading` and `stored`. */
  doing: string
  done: string
  reporter: Reporter
}

/**
 * Reads files and shows the progress. Reports rejected lines in the form `file:line: reason`, even if reading fails
 * half-way. The text format omits the rejected lines of files without events, because `damageIn` reports these files.
 * Throws before reading if the file for rejected lines has unrelated content.
 */
export async function withDisplay(
  { doing, done, files, rejectsFile, onProgress, reporter }: Display,
  read: (shown: Pick<StoreOptions, 'onProgress' | 'onReject'>) => Promise<LoadSummary>,
): Promise<LoadSummary> {
  const rejects = rejectsFile === undefined ? showRejects(reporter) : writeRejects(rejectsFile, files)
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

function progressOf(
  { bytesRead, bytesTotal, events }: LoadProgress,
  { doing, done, elapsedMs }: Pick<Display, 'doing' | 'done'> & { elapsedMs: number },
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

/** Collects the first few rejected lines of each file, and shows them after the progress bar has ended. */
function showRejects(reporter: Reporter) {
  const byFile = new Map<string, { first: Reject[]; count: number }>()
  return {
    add(reject: Reject) {
      // Truncated files are not shown here, because `damageIn` reports them.
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

/**
 * Overwrites a file only if it is empty or a list of rejected lines, because the shell may expand `--rejects
 * logs/*.ndjson` to the name of a log file.
 */
function openForWriting(file: string, sources: readonly string[]): number {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) refuseForeign(file, sources)
    return openSync(file, 'w')
  } catch (cause) {
    const isNowhere = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const reason = isNowhere ? 'its folder does not exist' : fileProblem(cause as Error)
    throw new Error(`Can't write ${file}: ${reason}`, { cause })
  }
}

function refuseForeign(file: string, sources: readonly string[]) {
  const beginnings = sources.map(source => Buffer.from(`${source}:`))
  const bytes = Buffer.alloc(Math.max(0, ...beginnings.map(({ length }) => length)))
  const descriptor = openSync(file, 'r')
  const beginning = bytes.subarray(0, readSync(descriptor, bytes))
  closeSync(descriptor)
  if (beginning.length > 0 && !beginnings.some(own => beginning.subarray(0, own.length).equals(own))) {
    throw new Error(
      'a file with this name and other content already exists; choose another name for --rejects',
    )
  }
}

function writeRejects(file: string, sources: readonly string[]) {
  const descriptor = openForWriting(file, sources)
  return {
    // Each rejected line is written immediately, so rejected lines never accumulate in memory.
    add: (reject: Reject) => void writeSync(descriptor, `${rejectLine(reject)}\n`),
    finish: () => closeSync(descriptor),
  }
}
