import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import type { ExportPart } from '../../../lib/client/create-events-client.ts'
import { type ExportState, openExportState, type StoredState } from './export-state.ts'

/** A file that is written part by part, by one run of the command or by several. */
export interface ExportFile {
  /** How far it is written, by earlier runs too. */
  state: ExportState
  /** Once it returns the part is on disk, and counted; before, no later run sees anything of it. */
  append(part: ExportPart): void
  /** Puts the whole file in its place. */
  finish(): void
  /** Lets others write it; leaves nothing behind where nothing was written. */
  close(): void
}

interface ExportTarget {
  /** Which export it is: no other goes on with the file. */
  request: string
  /** Whether to forget what earlier runs have written. */
  restart: boolean
}

/**
 * Opens a file for an export, or takes up again what an earlier run has begun. It is written as `<file>.part`, and how
 * far that is good stands in `<file>.state`. The part is written to disk before the state is, and cut back to where
 * the state says; so a run that ends at any moment leaves whole records, each once. Throws with one line where the
 * file is there already, belongs to another export, or is being written.
 */
export function openExportFile(file: string, target: ExportTarget): ExportFile {
  const partFile = `${file}.part`
  const stored = openExportState(`${file}.state`)
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

/** What no run has counted may be anybody's, unless there is nothing in it. */
function refuseForeign(partFile: string): void {
  if (existsSync(partFile) && statSync(partFile).size > 0)
    throw new Error(`${partFile} is there already; ${REMEDY}`)
}

/** Where an earlier run has stopped, or the beginning. */
function takeUp(stored: StoredState, file: string, { request, restart }: ExportTarget): ExportState {
  const earlier = restart ? undefined : stored.read()
  if (earlier && earlier.request !== request && earlier.bytes > 0) {
    throw new Error(`${file} is being written by another export; ${REMEDY}`)
  }
  const state: ExportState =
    earlier?.request === request ? earlier : { request, bytes: 0, records: 0, isComplete: false }
  // An earlier run may have ended between putting it there and saying so.
  const isInPlace = state.isComplete && !existsSync(`${file}.part`)
  if (existsSync(file) === isInPlace) return state
  throw new Error(isInPlace ? lacking(file) : isThere(file))
}

interface Opened {
  file: string
  partFile: string
  /** Undefined where nothing is left to be written. */
  descriptor: number | undefined
  stored: StoredState
}

function writing({ file, partFile, descriptor, stored }: Opened, begun: ExportState): ExportFile {
  let state = begun
  return {
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

const REMEDY = 'choose another name for --out, or begin anew with --restart'
const isThere = (file: string) => `${file} is there already; choose another name for --out`
const lacking = (file: string) => `${file} lacks what was written to it; ${REMEDY}`

/** Opens the part for going on behind what is good of it. */
function openPart(file: string, bytes: number): number {
  const descriptor = openSync(file, bytes === 0 ? 'w' : 'a')
  if (fstatSync(descriptor).size < bytes) {
    closeSync(descriptor)
    throw new Error(lacking(file))
  }
  ftruncateSync(descriptor, bytes)
  return descriptor
}

/** A disk that is nearly full takes less than it is given. */
function writeAll(descriptor: number, text: string): number {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
  return bytes.length
}
