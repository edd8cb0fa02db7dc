import { createTextBuffer, type Entry, MAX_ENTRY_BYTES } from './entry.ts'
import { endsTooEarly } from './read-json-values.ts'
import type { Chunk } from './read-unpacked.ts'

const NEWLINE = 0x0a
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Yields the non-empty lines of a UTF-8 text without holding all of it in memory. Lines end with `\n` or `\r\n`, but
 * the last line may have no ending. Skips a byte order mark, and marks a last line with incomplete JSON as truncated.
 */
export async function* readLines(
  chunks: AsyncIterable<Chunk>,
  { maxLineBytes = MAX_ENTRY_BYTES }: { maxLineBytes?: number } = {},
): AsyncGenerator<Entry> {
  let number = 0
  let bytesRead = 0
  let isPackCutOff = false
  const pending = createTextBuffer(maxLineBytes)
  const finishLine = (): Entry | undefined => {
    number += 1
    const text = pending.take()
    if (text === undefined) return { number, text, bytesRead }
    const line = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
    return line.trim() === '' ? undefined : { number, text: line, bytesRead }
  }
  for await (const chunk of chunks) {
    const { bytes } = chunk
    bytesRead = chunk.bytesRead
    isPackCutOff = chunk.isCutOff ?? false
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      pending.add(bytes.subarray(start, end))
      start = end + 1
      const line = finishLine()
      if (line) yield line
    }
    pending.add(bytes.subarray(start))
  }
  const last = finishLine()
  const isCutOff = last?.text !== undefined && endsTooEarly(last.text)
  if (last) yield isCutOff ? { ...last, isCutOff } : last
  if (isPackCutOff && !isCutOff) yield { number, text: '', bytesRead, isCutOff: true }
}
