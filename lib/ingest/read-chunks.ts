import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { UnreadableFileError } from './check-file.ts'

const READ_BYTES = 256 * 1024
/** Unpacked at once, which gives a thousand times as many bytes at most. */
const PACKED_BYTES = 16 * 1024
/** https://www.rfc-editor.org/rfc/rfc1952 */
const GZIP = Buffer.from([0x1f, 0x8b])
/** What zlib calls an end of the file before that of the gzip. */
const CUT_OFF = 'Z_BUF_ERROR'

export interface Chunk {
  bytes: Buffer
  /** How far into the file reading has come, in bytes as they stand there. */
  bytesRead: number
  /** The gzip ends too early. Such a chunk is the last one, and has no bytes. */
  isCutOff?: true
}

/** The content of a file, unpacked where gzip has packed it. Throws `UnreadableFileError` for a damaged gzip. */
export async function* readChunks(
  file: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Chunk> {
  let bytesRead = 0
  const stream = createReadStream(file, { highWaterMark: READ_BYTES, signal })
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      bytesRead += chunk.length
      yield chunk
    }
  }
  const source = counted()
  const first = await source.next()
  if (first.done) return
  const isGzip = first.value.subarray(0, GZIP.length).equals(GZIP)
  const all = joined(first.value, source)
  if (!isGzip) {
    for await (const bytes of all) yield { bytes, bytesRead }
    return
  }
  try {
    for await (const bytes of unpack(all)) yield { bytes, bytesRead }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === CUT_OFF) yield { bytes: Buffer.alloc(0), bytesRead, isCutOff: true }
    else if (!code?.startsWith('Z_')) throw cause
    else throw new UnreadableFileError({ file, reason: `its gzip is damaged (${message})`, cause })
  }
}

async function* joined(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

/**
 * Unpacks piece by piece, and gives all that a piece holds before it looks at the next: a stream that fails forgets
 * what nobody has taken yet.
 */
async function* unpack(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  let unpacked: Buffer[] = []
  gunzip.on('data', bytes => unpacked.push(bytes))
  const failed = once(gunzip, 'error').then(([error]) => {
    throw error
  })
  // Whoever waits for the stream is told; where nobody does, nothing is lost.
  failed.catch(() => undefined)
  function* taken() {
    const all = unpacked
    unpacked = []
    yield* all
  }
  try {
    for await (const bytes of packed) {
      for (let at = 0; at < bytes.length; at += PACKED_BYTES) {
        const piece = bytes.subarray(at, at + PACKED_BYTES)
        await Promise.race([new Promise(resolve => gunzip.write(piece, resolve)), failed])
        yield* taken()
      }
    }
    gunzip.end()
    await once(gunzip, 'end')
    yield* taken()
  } finally {
    gunzip.destroy()
  }
}
