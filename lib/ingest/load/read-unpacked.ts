import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { unreadable } from './check-file.ts'

const READ_BYTES = 256 * 1024
/**
 * The number of gzip bytes that are unpacked at a time. The number is small, because the output may be a thousand times
 * as large.
 */
const PACKED_BYTES = 16 * 1024
/** The bytes with which gzip data begins. See https://www.rfc-editor.org/rfc/rfc1952 */
const GZIP = Buffer.from([0x1f, 0x8b])
/** zlib's error code for truncated gzip data. */
const CUT_OFF = 'Z_BUF_ERROR'
/** The property of an error in damaged gzip data, as in zlib's own errors. */
const DAMAGED = { code: 'Z_DATA_ERROR' }

export interface Chunk {
  bytes: Buffer
  /** The number of bytes read from the file so far, counted before unpacking. */
  bytesRead: number
  /** Marks gzip data as truncated. Set only in an additional last chunk without bytes. */
  isCutOff?: true
}

/** Reads a file, and unpacks it if it is gzipped. Throws a one-line error if the gzip data is damaged. */
export async function* readUnpacked(file: string, signal?: AbortSignal): AsyncGenerator<Chunk> {
  let bytesRead = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES, signal })) {
      bytesRead += chunk.length
      yield chunk
    }
  }
  const source = counted()
  const first = await source.next()
  if (first.done) return
  const all = joined(first.value, source)
  if (!first.value.subarray(0, GZIP.length).equals(GZIP)) {
    for await (const bytes of all) yield { bytes, bytesRead }
    return
  }
  try {
    for await (const bytes of unpack(all)) yield { bytes, bytesRead }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === CUT_OFF) yield { bytes: Buffer.alloc(0), bytesRead, isCutOff: true }
    else if (!code?.startsWith('Z_')) throw cause
    else throw unreadable(file, `its gzip data is damaged (${message})`, cause)
  }
}

export async function* joined<Part>(first: Part, rest: AsyncGenerator<Part>): AsyncGenerator<Part> {
  yield first
  yield* rest
}

/** Yields all output of a piece before the next piece is unpacked, because a failing stream drops its unread output. */
async function* unpack(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  let unpacked: Buffer[] = []
  let written = 0
  gunzip.on('data', bytes => unpacked.push(bytes))
  // Rejects if the data is damaged. If zeros follow the data as padding, zlib ends the stream instead of calling back.
  const ended = once(gunzip, 'end')
  // Prevents an unhandled rejection, although a pending `await` below still receives the error.
  ended.catch(() => undefined)
  function* taken() {
    const all = unpacked
    unpacked = []
    yield* all
  }
  try {
    for await (const bytes of packed) {
      for (let at = 0; at < bytes.length; at += PACKED_BYTES) {
        const piece = bytes.subarray(at, at + PACKED_BYTES)
        await Promise.race([new Promise(resolve => gunzip.write(piece, resolve)), ended])
        yield* taken()
        const padding = piece.subarray(Math.max(0, gunzip.bytesWritten - written))
        if (padding.some(byte => byte !== 0)) throw Object.assign(new Error('data follows zeros'), DAMAGED)
        written += piece.length
      }
    }
    gunzip.end()
    await ended
    yield* taken()
  } finally {
    gunzip.destroy()
  }
}
