import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import * as z from 'zod/mini'
import type { ExportPart } from '../../client/create-events-client.ts'
import { countSchema } from '../../events/record-fields.ts'
import { openStateFile, type StateFile } from '../../kit/state-file.ts'

const exportStateSchema = z.object({
  request: z.string(),
  /** The next cursor. Undefined at the beginning and when the export is complete. */
  cursor: z.optional(z.string()),
  /** The valid length of the part file, in bytes. */
  bytes: countSchema,
  /** The number of records within the valid length. */
  records: countSchema,
  isComplete: z.boolean(),
  total: z.optional(countSchema),
  /** A lower bound of the number of records. Set instead of `total` if the service stopped counting early. */
  totalAtLeast: z.optional(countSchema),
})

export type ExportState = z.infer<typeof exportStateSchema>

export interface ExportFile {
  state: ExportState
  /** The first line of what earlier runs wrote, which is the header of a CSV. Undefined if they wrote nothing. */
  firstLine: string | undefined
  /** On return, the page is on disk and recorded in the state. If the method throws, later runs discard the page. */
  append(part: ExportPart): void
  /** Renames the complete part file to the final name, and removes the state file. */
  finish(): void
  /** Releases the lock. If nothing was written, also removes the part file and the state file. */
  close(): void
}

/** A header has a few hundred bytes. */
const FIRST_LINE_BYTES = 4096

interface ExportTarget {
  /** The request and the format, as text. Only an export of the same request in the same format can resume the file. */
  request: string
  restart: boolean
}

/**
 * Opens a file for an export, or resumes an earlier run. The export is written to `<file>.part`, whose valid length is
 * recorded in `<file>.state`. Each page is flushed to disk before the state changes, and a resumed run truncates the
 * part file to its valid length. The file therefore contains each record completely and exactly once, even if runs are
 * interrupted. Throws a one-line error if the finished file already exists, or if the part file belongs to another
 * export or is in use.
 */
export function openExportFile(file: string, target: ExportTarget): ExportFile {
  const partFile = `${file}.part`
  const stored = openStateFile(`${file}.state`, {
    name: 'export',
    schema: exportStateSchema,
    option: '--out',
    remedy: 'start over with --restart',
  })
  try {
    const state = takeUp(stored, file, target)
    if (!stored.exists() && !target.restart) refuseForeign(partFile)
    const descriptor = state.isComplete ? undefined : openPart(partFile, state.bytes)
    stored.write(state)
    return writing({ file, partFile, descriptor, stored }, state)
  } catch (error) {
    if (stored.exists()) stored.close()
    else stored.remove()
    throw error
  }
}

/** Throws if a part file with content has no state file, because another program may have written it. */
function refuseForeign(partFile: string): void {
  if (existsSync(partFile) && statSync(partFile).size > 0)
    throw new Error(`${partFile} already exists; ${REMEDY}`)
}

function takeUp(
  stored: StateFile<ExportState>,
  file: string,
  { request, restart }: ExportTarget,
): ExportState {
  const earlier = restart ? undefined : stored.read()
  if (earlier && earlier.request !== request && earlier.bytes > 0) {
    throw new Error(`${file} belongs to an unfinished export of another request; ${REMEDY}`)
  }
  const state: ExportState =
    earlier?.request === request ? earlier : { request, bytes: 0, records: 0, isComplete: false }
  // The export is in place if an earlier run ended between renaming the part file and removing the state file.
  const isInPlace = state.isComplete && !existsSync(`${file}.part`)
  if (existsSync(file) === isInPlace) return state
  throw new Error(isInPlace ? lacking(file) : isThere(file))
}

interface Opened {
  file: string
  partFile: string
  /** Undefined if the export is complete. */
  descriptor: number | undefined
  stored: StateFile<ExportState>
}

function writing({ file, partFile, descriptor, stored }: Opened, begun: ExportState): ExportFile {
  let state = begun
  return {
    firstLine: descriptor === undefined || begun.bytes === 0 ? undefined : readFirstLine(descriptor),
    get state() {
      return state
    },
    append({ text, records, next, total, totalAtLeast }) {
      if (descriptor === undefined) throw new Error('The export is complete')
      const bytes = writeAll(descriptor, text)
      fdatasyncSync(descriptor)
      const written = {
        request: state.request,
        bytes: state.bytes + bytes,
        records: state.records + records,
        isComplete: next === undefined,
        cursor: next,
        total: total ?? state.total,
        totalAtLeast: totalAtLeast ?? state.totalAtLeast,
      }
      stored.write(written)
      state = written
    },
    finish() {
      if (existsSync(partFile)) {
        if (existsSync(file)) throw new Error(isThere(file))
        renameSync(partFile, file)
      }
      stored.remove()
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
      if (state.bytes > 0 || !existsSync(partFile)) return stored.close()
      rmSync(partFile)
      stored.remove()
    },
  }
}

const REMEDY = 'choose another name for --out, or start over with --restart'
const isThere = (file: string) => `${file} already exists; choose another name for --out`
const lacking = (file: string) => `a part of what was written to ${file} is missing; ${REMEDY}`

function openPart(file: string, bytes: number): number {
  const descriptor = openSync(file, bytes === 0 ? 'w' : 'a+')
  if (fstatSync(descriptor).size < bytes) {
    closeSync(descriptor)
    throw new Error(lacking(file))
  }
  ftruncateSync(descriptor, bytes)
  return descriptor
}

function readFirstLine(descriptor: number): string | undefined {
  const bytes = Buffer.alloc(FIRST_LINE_BYTES)
  const length = readSync(descriptor, bytes, 0, FIRST_LINE_BYTES, 0)
  return bytes.toString('utf8', 0, length).split('\r\n', 1)[0]
}

/** On a nearly full disk, a single write may store fewer bytes than requested. */
function writeAll(descriptor: number, text: string): number {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
  return bytes.length
}
