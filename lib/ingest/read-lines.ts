import { createReadStream } from 'node:fs'

/**
 * Longer lines are reported, not loaded: no node returns a log of 8 MB, since its gas (8 for each byte,
 * and the memory that it stood in) would exceed the block's.
 */
export const MAX_LINE_BYTES = 16 * 1024 * 1024
const READ_BYTES = 256 * 1024
const NEWLINE = 0x0a
const BYTE_ORDER_MARK = '\uFEFF'

export interface Line {
  /** Counted from 1, empty lines included. */
  number: number
  /** Undefined when the line is longer than `MAX_LINE_BYTES`. */
  text: string | undefined
  /** How far into the file reading has come, in bytes. */
  bytesRead: number
}

/**
 * The lines of a text file in UTF-8 that are not empty, one after the other, in memory that does not grow
 * with the file. Lines end with `\n` or `\r\n`, the last one perhaps with neither; a byte order mark is
 * skipped.
 */
export async function* readLines(
  file: string,
  { maxLineBytes = MAX_LINE_BYTES, signal }: { maxLineBytes?: number; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Line> {
  let number = 0
  let bytesRead = 0
  const pending = lineBuffer(maxLineBytes)
  const finishLine = (): Line | undefined => {
    number += 1
    const text = pending.take()
    if (text === undefined) return { number, text, bytesRead }
    const line = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
    return line.trim() === '' ? undefined : { number, text: line, bytesRead }
  }
  const chunks: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: READ_BYTES, signal })
  for await (const chunk of chunks) {
    bytesRead += chunk.length
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pending.add(chunk.subarray(start, end))
      start = end + 1
      const line = finishLine()
      if (line) yield line
    }
    pending.add(chunk.subarray(start))
  }
  const last = finishLine()
  if (last) yield last
}

/** Collects the pieces of one line, but never more than `maxBytes` of it. */
function lineBuffer(maxBytes: number) {
  let pieces: Buffer[] = []
  let bytes = 0
  return {
    add(piece: Buffer) {
      bytes += piece.length
      if (bytes > maxBytes) pieces = []
      else if (piece.length > 0) pieces.push(piece)
    },
    /** The line's text, undefined when it is too long. Starts the next line. */
    take(): string | undefined {
      const text = bytes > maxBytes ? undefined : Buffer.concat(pieces).toString('utf8')
      pieces = []
      bytes = 0
      return text
    },
  }
}
