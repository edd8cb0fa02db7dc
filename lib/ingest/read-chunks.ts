import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { UnreadableFileError } from './check-file.ts'

const READ_BYTES = 256 * 1024
/** https://www.rfc-editor.org/rfc/rfc1952 */
const GZIP = Buffer.from([0x1f, 0x8b])

export interface Chunk {
  bytes: Buffer
  /** How far into the file reading has come, in bytes as they stand there. */
  bytesRead: number
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
  for await (const bytes of isGzip ? unpack(file, first.value, source) : joined(first.value, source)) {
    yield { bytes, bytesRead }
  }
}

async function* joined(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

async function* unpack(file: string, first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  // What goes wrong in the pipeline is thrown by whoever reads its end.
  const unpacked = pipeline(Readable.from(joined(first, rest)), createGunzip(), () => undefined)
  try {
    yield* unpacked as AsyncIterable<Buffer>
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (!code?.startsWith('Z_')) throw cause
    throw new UnreadableFileError({ file, reason: `its gzip is damaged (${message})`, cause })
  }
}
