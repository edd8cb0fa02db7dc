import { closeSync, openSync, writeSync } from 'node:fs'
import { type Options, SingleBar } from 'cli-progress'
import {
  type LoadOptions,
  type LoadSummary,
  loadFiles,
  type ReadOptions,
  type Reject,
} from '../../../lib/ingest/load-files.ts'

/** More lines than anyone reads; the count that follows them is complete. */
const MAX_SHOWN_REJECTS = 20

const BAR: Options = {
  format: '  {doing} {bar} {percentage}% | {events} events | {eta_formatted} left',
  barCompleteChar: '█',
  barIncompleteChar: '░',
  hideCursor: true,
  clearOnComplete: true,
}

export interface DisplayOptions extends Omit<LoadOptions, 'onReject'> {
  /** Where to write all lines that are left out, rather than the first few on standard error. */
  rejectsFile?: string | undefined
}

/** Loads files into a table, and shows it as `withDisplay` does. */
export const loadWithDisplay = ({
  rejectsFile,
  onProgress,
  ...options
}: DisplayOptions): Promise<LoadSummary> =>
  withDisplay({ doing: 'Loading', rejectsFile, onProgress }, shown => loadFiles({ ...options, ...shown }))

interface Display extends Pick<ReadOptions, 'onProgress'>, Pick<DisplayOptions, 'rejectsFile'> {
  /** What stands before the bar. */
  doing: string
}

/**
 * Reads files with a progress bar where somebody is looking, and says which lines were left out and why,
 * as `file:line: reason`, also when reading fails half-way.
 */
export async function withDisplay(
  { doing, rejectsFile, onProgress }: Display,
  read: (shown: Pick<ReadOptions, 'onProgress' | 'onReject'>) => Promise<LoadSummary>,
): Promise<LoadSummary> {
  const rejects = rejectsFile === undefined ? showRejects() : writeRejects(rejectsFile)
  const bar = new SingleBar(BAR)
  bar.start(1, 0, { events: 0, doing })
  try {
    return await read({
      onProgress: progress => {
        bar.setTotal(Math.max(progress.bytesRead, progress.bytesTotal, 1))
        bar.update(progress.bytesRead, { events: progress.events })
        onProgress?.(progress)
      },
      onReject: rejects.add,
    })
  } finally {
    bar.stop()
    rejects.finish()
  }
}

const rejectLine = ({ file, line, reason }: Reject) => `${file}:${line}: ${reason}`

/** Keeps the first few until the progress bar is out of the way. */
function showRejects() {
  const shown: string[] = []
  let count = 0
  return {
    add(reject: Reject) {
      count += 1
      if (shown.length < MAX_SHOWN_REJECTS) shown.push(rejectLine(reject))
    },
    finish() {
      for (const line of shown) console.error(line)
      if (count > shown.length) console.error(`… and ${count - shown.length} more lines that were left out`)
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
