import { parseJson } from '../../kit/parse-json.ts'
import { unreadable } from './check-file.ts'
import type { Entry } from './entry.ts'
import { readJsonValues } from './read-json-values.ts'
import { readLines } from './read-lines.ts'
import { joined, readUnpacked } from './read-unpacked.ts'

/**
 * Reads the logs or blocks of a file without holding the whole file in memory. The file contains one object per line
 * or, with any white space, JSON objects, JSON lists or replies from nodes. The file's beginning shows which format it
 * has. Throws a one-line error if the file has one of the formats in `OTHER_FORMS`, or if its gzip data is damaged.
 */
export async function* readEntries(file: string, signal?: AbortSignal): AsyncGenerator<Entry> {
  const chunks = readUnpacked(file, signal)
  const first = await chunks.next()
  if (first.done) return
  refuseOtherForms(file, first.value.bytes)
  const all = joined(first.value, chunks)
  yield* isOneALine(first.value.bytes.toString('utf8')) ? readLines(all) : readJsonValues(all)
}

/** The result is a list in replies to `eth_getLogs`, and an object in replies to `eth_getBlockByNumber`. */
const REPLY = /"result"\s*:\s*[[{]/
/** A file is recognised as a reply only if the result begins within this many characters of the file's start. */
const REPLY_BEGINS_WITHIN = 1024

function isOneALine(beginning: string): boolean {
  const text = beginning.replace(/^\uFEFF/, '').trimStart()
  if (!text.startsWith('{')) return !text.startsWith('[')
  if (REPLY.test(text.slice(0, REPLY_BEGINS_WITHIN))) return false
  const [firstLine = '', ...others] = text.split('\n', 100).map(line => line.trim())
  if (others.length === 0 || parseJson(firstLine) !== undefined) return true
  // If the next line begins an object, the file has one object per line, and only the first line is malformed. If not,
  // an object spans several lines.
  return others.find(line => line !== '')?.startsWith('{') ?? true
}

const UNPACK = 'unpack it, and load what it contains, which can also be compressed with gzip'
const SAVE_AS_UTF8 = 'it is encoded in UTF-16, so save it in UTF-8'

/** The signatures of file formats that users may pass instead of a supported log file. */
const OTHER_FORMS: readonly { at?: number; bytes: Buffer; reason: string }[] = [
  { bytes: Buffer.from('PK\x03\x04'), reason: `it is compressed with zip, so ${UNPACK}` },
  { bytes: Buffer.from('fd377a585a00', 'hex'), reason: `it is compressed with xz, so ${UNPACK}` },
  { bytes: Buffer.from('28b52ffd', 'hex'), reason: `it is compressed with zstd, so ${UNPACK}` },
  { bytes: Buffer.from('BZh'), reason: `it is compressed with bzip2, so ${UNPACK}` },
  { bytes: Buffer.from('377abcaf271c', 'hex'), reason: `it is compressed with 7-Zip, so ${UNPACK}` },
  { at: 257, bytes: Buffer.from('ustar'), reason: `it is a tar archive, so ${UNPACK}` },
  { bytes: Buffer.from('PAR1'), reason: 'it is a Parquet file, so write its rows as JSON, one per line' },
  { bytes: Buffer.from('fffe', 'hex'), reason: SAVE_AS_UTF8 },
  { bytes: Buffer.from('feff', 'hex'), reason: SAVE_AS_UTF8 },
]

function refuseOtherForms(file: string, beginning: Buffer): void {
  const found = OTHER_FORMS.find(({ at = 0, bytes }) =>
    beginning.subarray(at, at + bytes.length).equals(bytes),
  )
  if (found) throw unreadable(file, found.reason)
}
